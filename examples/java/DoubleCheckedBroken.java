/*
 * Double-checked locking without volatile. One at a time, no step goes wrong; but the first look at the field is
 * ordered with nothing, and a JVM may show the object before what its constructor wrote.
 *
 * Expected: holds
 * Races: DoubleCheckedBroken.instance
 */
class DoubleCheckedBroken {
    static DoubleCheckedBroken instance;
    int rate = 7;

    static DoubleCheckedBroken get() {
        if (instance == null) {
            synchronized (DoubleCheckedBroken.class) {
                if (instance == null) {
                    instance = new DoubleCheckedBroken();
                }
            }
        }
        return instance;
    }

    public static void main(String[] args) throws InterruptedException {
        Thread other = new Thread(() -> get());
        other.start();
        assert get().rate == 7;
        other.join();
    }
}
