/*
 * Money goes from one account to the other under a lock. Whoever takes the lock sees all of it, and who does not may
 * look in between:
 *
 *     everypath check examples/java/Savings.java --invariant Savings.complete
 *     everypath check examples/java/Savings.java --invariant 'Savings.here + Savings.there == 100'
 *
 * Expected: holds
 */
class Savings {
    static int here = 100;
    static int there;

    static synchronized boolean complete() {
        return here + there == 100;
    }

    static synchronized void move(int amount) {
        here -= amount;
        there += amount;
    }

    public static void main(String[] args) {
        new Thread(() -> move(10)).start();
        new Thread(() -> move(20)).start();
    }
}
