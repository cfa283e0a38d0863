/*
 * A customer waits for a ticket with `if` where `while` is needed: who wakes up without a reason takes one that is not there.
 * Only --spurious-wakeups shows it.
 *
 * Expected: holds
 */
public class OneTicket {
    static final Object counter = new Object();
    static int tickets;

    static void sell() {
        synchronized (counter) {
            tickets++;
            counter.notify();
        }
    }

    static void buy() throws InterruptedException {
        synchronized (counter) {
            if (tickets == 0) {
                counter.wait();
            }
            tickets--;
            assert tickets >= 0;
        }
    }

    public static void main(String[] args) throws InterruptedException {
        new Thread(OneTicket::sell).start();
        buy();
    }
}
