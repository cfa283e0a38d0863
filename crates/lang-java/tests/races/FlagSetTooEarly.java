// race: FlagSetTooEarly.data
class FlagSetTooEarly {
    static int data;
    static volatile boolean ready;

    public static void main(String[] args) throws Exception {
        go(() -> { ready = true; data = 7; }, () -> { if (ready) System.out.println(data); });
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
