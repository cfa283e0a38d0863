// race: int[]
class Clones {
    static final int[] shared = new int[4];

    public static void main(String[] args) throws Exception {
        go(() -> shared[3] = 1, () -> System.out.println(shared.clone()[0]));
    }

    static void go(Runnable... all) throws InterruptedException {
        Thread[] threads = new Thread[all.length];
        for (int i = 0; i < all.length; i++) {
            threads[i] = new Thread(all[i]);
            threads[i].start();
        }
        for (Thread thread : threads) {
            thread.join();
        }
    }
}
