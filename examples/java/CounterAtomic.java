import java.util.concurrent.atomic.AtomicInteger;

/*
 * The counter as an atomic integer: the total is always 4.
 *
 * Expected: holds
 */
class CounterAtomic {
    static final AtomicInteger TOTAL = new AtomicInteger();

    static void count() {
        for (int i = 0; i < 2; i++) {
            TOTAL.incrementAndGet();
        }
    }

    public static void main(String[] args) throws InterruptedException {
        Thread other = new Thread(CounterAtomic::count);
        other.start();
        count();
        other.join();
        System.out.println(TOTAL);
        assert TOTAL.get() == 4;
    }
}
