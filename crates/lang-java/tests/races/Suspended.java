// A thread that is suspended does not stand before an access; the search says that it is no proof.

/** A thread that was suspended does not write. */
class Suspended {
    static int x;

    @SuppressWarnings("removal")
    public static void main(String[] a) throws Exception {
        Thread t = new Thread(() -> {
            x = 1;
            x = 2;
        });
        t.start();
        t.suspend();
        x = 3;
        t.resume();
    }
}
