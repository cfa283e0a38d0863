// race: int[]
class Elements {
    static final int[] shared = new int[2];

    public static void main(String[] args) throws Exception {
        go(() -> shared[0]++, () -> shared[args.length]++);
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
