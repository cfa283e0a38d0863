/*
 * Two locks taken in both orders, always inside a third one: the gate keeps the deadlock away.
 *
 * Expected: holds
 */
class GatedLocks {
    static final Object GATE = new Object();
    static final Object A = new Object();
    static final Object B = new Object();
    static int work;

    static void first() {
        synchronized (GATE) {
            synchronized (A) {
                synchronized (B) {
                    work++;
                }
            }
        }
    }

    static void second() {
        synchronized (GATE) {
            synchronized (B) {
                synchronized (A) {
                    work++;
                }
            }
        }
    }

    public static void main(String[] args) throws InterruptedException {
        Thread other = new Thread(GatedLocks::first);
        other.start();
        second();
        other.join();
        assert work == 2;
        System.out.println(work);
    }
}
