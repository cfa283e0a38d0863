/*
 * EarlyPublication with a volatile field that is written when the object is complete.
 *
 * Expected: holds
 */
class EarlyPublicationFixed {
    static volatile EarlyPublicationFixed known;
    int rate;

    EarlyPublicationFixed() {
        rate = 7;
    }

    public static void main(String[] args) throws InterruptedException {
        Thread other = new Thread(() -> known = new EarlyPublicationFixed());
        other.start();
        EarlyPublicationFixed seen = known;
        assert seen == null || seen.rate == 7;
        other.join();
    }
}
