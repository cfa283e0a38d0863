// no race
class OtherElements {
    static final long[] shared = new long[2];

    public static void main(String[] args) throws Exception {
        go(() -> shared[0]++, () -> shared[1]++);
        System.out.println(shared[0] + shared[1]);
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
