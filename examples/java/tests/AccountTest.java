import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import everypath.Explore;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

/**
 * Tests of an account, as JUnit 5 has them. Those with @Explore are tried with every schedule: two of them pass on
 * nearly every run of an ordinary test, and fail on some schedule.
 */
@Explore
class AccountTest {
    private Account account;

    @BeforeEach
    void open() {
        account = new Account(100);
    }

    @Test
    void deposits() throws InterruptedException {
        both(() -> account.deposit(10), () -> account.deposit(20));
        assertEquals(130, account.balance());
    }

    @Test
    void withdrawals() throws InterruptedException {
        // The check and the withdrawal are two steps.
        both(() -> account.withdraw(80), () -> account.withdraw(80));
        assertEquals(20, account.balance());
    }

    @Test
    void refusesDebts() {
        assertThrows(IllegalArgumentException.class, () -> account.deposit(-1));
    }

    @Nested
    class Transfers {
        private final Account other = new Account(0);

        @Test
        void crossing() throws InterruptedException {
            // Each takes its own lock first.
            both(() -> account.transfer(other, 10), () -> other.transfer(account, 10));
            assertEquals(100, account.balance() + other.balance());
        }
    }

    private static void both(Runnable one, Runnable two) throws InterruptedException {
        Thread first = new Thread(one);
        Thread second = new Thread(two);
        first.start();
        second.start();
        first.join();
        second.join();
    }
}

class Account {
    private int balance;

    Account(int balance) {
        this.balance = balance;
    }

    synchronized int balance() {
        return balance;
    }

    synchronized void deposit(int amount) {
        if (amount < 0) {
            throw new IllegalArgumentException("a debt");
        }
        balance += amount;
    }

    void withdraw(int amount) {
        if (balance() >= amount) {
            synchronized (this) {
                balance -= amount;
            }
        }
    }

    synchronized void transfer(Account to, int amount) {
        synchronized (to) {
            balance -= amount;
            to.balance += amount;
        }
    }
}
