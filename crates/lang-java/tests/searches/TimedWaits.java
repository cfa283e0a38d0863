// endless
// ends: open
/** Who waits for some time, again and again, comes back to where it was. */
class TimedWaits {
    static final Object LOCK = new Object();
    static boolean open;

    public static void main(String[] args) throws InterruptedException {
        Thread waiter = new Thread(() -> {
            synchronized (LOCK) {
                while (!open) {
                    try {
                        LOCK.wait(50);
                    } catch (InterruptedException e) {
                        throw new IllegalStateException(e);
                    }
                }
            }
            System.out.println("open");
        });
        waiter.start();
        Thread.sleep(10);
        synchronized (LOCK) {
            open = true;
            LOCK.notifyAll();
        }
        waiter.join();
    }
}
