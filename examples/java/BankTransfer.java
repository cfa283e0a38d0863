/*
 * Transfers lock the two accounts in the order of the arguments: two opposite transfers can block each other.
 *
 * Expected: violated (deadlock)
 */
class BankTransfer {
    static class Account {
        int balance;

        Account(int balance) {
            this.balance = balance;
        }
    }

    static void transfer(Account from, Account to, int amount) {
        synchronized (from) {
            synchronized (to) {
                from.balance -= amount;
                to.balance += amount;
            }
        }
    }

    public static void main(String[] args) throws InterruptedException {
        Account a = new Account(100);
        Account b = new Account(100);
        Thread other = new Thread(() -> transfer(a, b, 10));
        other.start();
        transfer(b, a, 30);
        other.join();
        System.out.println(a.balance + " " + b.balance);
    }
}
