/*
 * A daemon that waits for ever does not keep the program alive and is not a deadlock.
 *
 * Expected: holds
 */
class BackgroundDaemon {
    static final Object LOCK = new Object();
    static int cleaned;

    static void clean() {
        synchronized (LOCK) {
            while (true) {
                try {
                    LOCK.wait();
                    cleaned++;
                } catch (InterruptedException e) {
                    return;
                }
            }
        }
    }

    public static void main(String[] args) {
        Thread daemon = new Thread(BackgroundDaemon::clean);
        daemon.setDaemon(true);
        daemon.start();
        synchronized (LOCK) {
            LOCK.notify();
        }
        System.out.println("done");
    }
}
