/*
 * A singleton that is made on first use, without a lock: two threads can make two.
 *
 * Expected: violated (assertion)
 * Races: LazyInit.instance
 */
class LazyInit {
    private static LazyInit instance;
    private static volatile LazyInit seenByOther;

    static LazyInit get() {
        if (instance == null) {
            instance = new LazyInit();
        }
        return instance;
    }

    public static void main(String[] args) throws InterruptedException {
        Thread other = new Thread(() -> seenByOther = get());
        other.start();
        LazyInit mine = get();
        other.join();
        assert mine == seenByOther : "two instances";
    }
}
