/*
 * TwoLocks with one lock.
 *
 * Expected: holds
 */
class TwoLocksFixed {
    static int balance;

    static synchronized void deposit(int amount) {
        balance += amount;
    }

    static synchronized void fee() {
        balance -= 1;
    }

    public static void main(String[] args) throws InterruptedException {
        Thread other = new Thread(() -> deposit(10));
        other.start();
        fee();
        other.join();
        assert balance == 9;
    }
}
