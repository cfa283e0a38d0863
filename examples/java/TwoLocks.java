/*
 * Both methods of an account are synchronized, but on different locks: one of its own, and one of its class.
 *
 * Expected: violated (assertion)
 * Races: TwoLocks.balance
 */
class TwoLocks {
    static int balance;

    synchronized void deposit(int amount) {
        balance += amount;
    }

    static synchronized void fee() {
        balance -= 1;
    }

    public static void main(String[] args) throws InterruptedException {
        TwoLocks account = new TwoLocks();
        Thread other = new Thread(() -> account.deposit(10));
        other.start();
        fee();
        other.join();
        assert balance == 9;
    }
}
