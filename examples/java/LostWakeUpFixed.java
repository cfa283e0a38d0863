/*
 * LostWakeUp with the test and the wait in one synchronized block, and the change in one, too.
 *
 * Expected: holds
 */
class LostWakeUpFixed {
    static final Object LOCK = new Object();
    static boolean ready;

    static void await() throws InterruptedException {
        synchronized (LOCK) {
            while (!ready) {
                LOCK.wait();
            }
        }
    }

    static void signal() {
        synchronized (LOCK) {
            ready = true;
            LOCK.notify();
        }
    }

    public static void main(String[] args) throws InterruptedException {
        new Thread(LostWakeUpFixed::signal).start();
        await();
    }
}
