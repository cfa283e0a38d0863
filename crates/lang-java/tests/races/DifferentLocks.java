// race: DifferentLocks.x
class DifferentLocks {
    static final Object A = new Object(), B = new Object();
    static int x;

    public static void main(String[] args) throws Exception {
        go(() -> { synchronized (A) { x++; } }, () -> { synchronized (B) { x++; } });
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
