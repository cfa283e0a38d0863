/** A thread computes before it waits for a lock. */
class StateSeen {
    static volatile boolean running;
    static final Object lock = new Object();
    public static void main(String[] a) throws Exception {
        Thread t = new Thread(() -> { running = true; int x = 0; for (int i = 0; i < 5; i++) x += i; synchronized (lock) { } });
        synchronized (lock) {
            t.start();
            while (!running) Thread.onSpinWait();
            System.out.println(t.getState());
        }
        t.join();
        System.out.println(t.getState());
    }
}
