/*
 * A worker that swallows the interrupt of its sleep and looks at the flag afterwards never stops.
 *
 * Expected: violated (deadlock)
 */
class SwallowedInterrupt {
    static final Object WORK = new Object();

    static void work() {
        try {
            Thread.sleep(1);
        } catch (InterruptedException e) {
            // The flag is clear now: whoever asked us to stop is forgotten.
        }
        if (!Thread.currentThread().isInterrupted()) {
            synchronized (WORK) {
                try {
                    WORK.wait();
                } catch (InterruptedException e) {
                    return;
                }
            }
        }
    }

    public static void main(String[] args) throws InterruptedException {
        Thread worker = new Thread(SwallowedInterrupt::work);
        worker.start();
        worker.interrupt();
        worker.join();
        System.out.println("stopped");
    }
}
