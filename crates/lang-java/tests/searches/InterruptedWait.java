// A thread is interrupted while it waits, and notified: it may return from its wait, or throw before the flag is
// set, or throw after that, since it has left the wait set when it is interrupted.
// ends: notified true
// ends: interrupted false
// ends: interrupted true
class InterruptedWait {
    static final Object LOCK = new Object();
    static boolean done;

    public static void main(String[] args) throws Exception {
        Thread waiter = new Thread(() -> {
            synchronized (LOCK) {
                try {
                    while (!done) {
                        LOCK.wait();
                    }
                    System.out.println("notified " + Thread.currentThread().isInterrupted());
                } catch (InterruptedException interrupted) {
                    System.out.println("interrupted " + done);
                }
            }
        });
        waiter.start();
        waiter.interrupt();
        synchronized (LOCK) {
            done = true;
            LOCK.notify();
        }
        waiter.join();
    }
}
