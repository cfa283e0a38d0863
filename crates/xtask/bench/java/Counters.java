/*
 * Three threads that count without a lock: many states, since every read and every write counts.
 */
class Counters {
    static volatile int a, b;

    static void count() {
        for (int i = 0; i < 8; i++) {
            a = a + 1;
            b = b + a;
        }
    }

    public static void main(String[] args) {
        for (int i = 0; i < 2; i++) {
            new Thread(Counters::count).start();
        }
    }
}
