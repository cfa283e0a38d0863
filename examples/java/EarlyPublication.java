/*
 * A constructor hands out the object before it is done: another thread can see it without its rate.
 *
 * Expected: violated (assertion)
 * Races: EarlyPublication.known, EarlyPublication.rate
 */
class EarlyPublication {
    static EarlyPublication known;
    int rate;

    EarlyPublication() {
        known = this;
        rate = 7;
    }

    public static void main(String[] args) throws InterruptedException {
        Thread other = new Thread(() -> new EarlyPublication());
        other.start();
        EarlyPublication seen = known;
        assert seen == null || seen.rate == 7;
        other.join();
    }
}
