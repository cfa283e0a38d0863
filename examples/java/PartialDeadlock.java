/*
 * Two threads in the background take two locks in different orders and wait for each other. The program goes on and
 * ends as if nothing had happened, without what they had to do.
 *
 * Expected: violated (partial deadlock)
 */
class PartialDeadlock {
    static final Object LEDGER = new Object();
    static final Object JOURNAL = new Object();
    static volatile int beat;

    static void both(Object first, Object second) {
        synchronized (first) {
            synchronized (second) {
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
        start("books", () -> both(LEDGER, JOURNAL));
        start("audit", () -> both(JOURNAL, LEDGER));
        for (int i = 0; i < 3; i++) {
            beat = i;
        }
    }
}
