// no race
class SameLock {
    static final Object A = new Object();
    static int x;

    public static void main(String[] args) throws Exception {
        go(() -> { synchronized (A) { x++; } }, () -> { synchronized (A) { x++; } });
        System.out.println(x);
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
