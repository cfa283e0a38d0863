// no race
class CopiesApart {
    static final int[] shared = new int[4];

    public static void main(String[] args) throws Exception {
        int[] mine = {1, 2};
        go(() -> System.arraycopy(mine, 0, shared, 1, 2), () -> System.out.println(shared[3]));
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
