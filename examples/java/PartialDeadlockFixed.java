/*
 * The locks of PartialDeadlock, taken in one order.
 *
 * Expected: holds
 */
class PartialDeadlockFixed {
    static final Object LEDGER = new Object();
    static final Object JOURNAL = new Object();
    static volatile int beat;

    static void both() {
        synchronized (LEDGER) {
            synchronized (JOURNAL) {
                beat = 0;
            }
        }
    }

    static void start(String name, Runnable task) {
        Thread thread = new Thread(task, name);
        thread.setDaemon(true);
        thread.start();
    }

    public static void main(String[] args) {
        start("books", PartialDeadlockFixed::both);
        start("audit", PartialDeadlockFixed::both);
        for (int i = 0; i < 3; i++) {
            beat = i;
        }
    }
}
