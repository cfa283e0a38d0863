/*
 * The flag is tested outside the lock: the notification can come between the test and the wait, and nobody sends
 * another one.
 *
 * Expected: violated (deadlock)
 */
class LostWakeUp {
    static final Object LOCK = new Object();
    static volatile boolean ready;

    static void awaitReady() throws InterruptedException {
        if (!ready) {
            synchronized (LOCK) {
                LOCK.wait();
            }
        }
    }

    static void announce() {
        ready = true;
        synchronized (LOCK) {
            LOCK.notifyAll();
        }
    }

    public static void main(String[] args) throws InterruptedException {
        new Thread(LostWakeUp::announce).start();
        awaitReady();
        System.out.println("ready");
    }
}
