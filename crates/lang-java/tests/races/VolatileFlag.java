// no race
class VolatileFlag {
    static int data;
    static volatile boolean ready;

    public static void main(String[] args) throws Exception {
        go(() -> { data = 7; ready = true; }, () -> { if (ready) System.out.println(data); });
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
