// An interrupt does not free a thread that waits for a monitor.
class C {
    static final Object LOCK = new Object();

    public static void main(String[] args) throws InterruptedException {
        Thread t = new Thread(() -> {
            synchronized (LOCK) {
                System.out.println("got it, flag " + Thread.currentThread().isInterrupted());
            }
        });
        synchronized (LOCK) {
            t.start();
            while (t.getState() != Thread.State.BLOCKED) {
                Thread.yield();
            }
            t.interrupt();
            t.join(20);
            System.out.println(t.getState() + " " + t.isInterrupted());
        }
        t.join();
    }
}
