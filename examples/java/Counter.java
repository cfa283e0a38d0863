/*
 * Two threads count to two each, without a lock. The total can be 2, 3 or 4.
 *
 * Expected: violated (assertion)
 * Races: Counter.total
 */
class Counter {
    static int total;

    static void count() {
        for (int i = 0; i < 2; i++) {
            total++;
        }
    }

    public static void main(String[] args) throws InterruptedException {
        Thread other = new Thread(Counter::count);
        other.start();
        count();
        other.join();
        System.out.println(total);
        assert total == 4 : "total " + total;
    }
}
