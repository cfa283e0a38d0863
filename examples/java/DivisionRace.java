/*
 * A check for zero does not help when another thread writes between the check and the division.
 *
 * Expected: violated (exception)
 */
class DivisionRace {
    static volatile int divisor = 4;

    static int share(int total) {
        if (divisor != 0) {
            return total / divisor;
        }
        return total;
    }

    public static void main(String[] args) {
        new Thread(() -> divisor = 0).start();
        System.out.println(share(100));
    }
}
