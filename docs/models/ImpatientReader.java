/*
 * The reader waits for ten seconds at most, and goes on whether there is something to read or not. Ten seconds are
 * long, but nobody promises that the writer is done by then: the wait may run out first.
 *
 * Expected: violated (assertion)
 */
class ImpatientReader {
    static final Object LOCK = new Object();
    static boolean written;

    public static void main(String[] args) throws InterruptedException {
        Thread writer = new Thread(() -> {
            synchronized (LOCK) {
                written = true;
                LOCK.notifyAll();
            }
        });
        writer.start();
        synchronized (LOCK) {
            if (!written) {
                LOCK.wait(10_000);
            }
            assert written : "there is nothing to read";
        }
    }
}
