/*
 * Four locks and three inversions of their order. Two of them are harmless, because another lock guards both orders;
 * the third one (locks 3 and 4) is a deadlock.
 *
 * Expected: violated (deadlock)
 */
class FourLocks {
    static final Object L1 = new Object();
    static final Object L2 = new Object();
    static final Object L3 = new Object();
    static final Object L4 = new Object();
    static int work;

    static void first() {
        synchronized (L1) {
            synchronized (L3) {
                synchronized (L2) {
                    work++;
                }
                synchronized (L4) {
                    work++;
                }
            }
        }
        synchronized (L4) {
            synchronized (L2) {
                synchronized (L3) {
                    work++;
                }
            }
        }
    }

    static void second() {
        synchronized (L1) {
            synchronized (L2) {
                synchronized (L3) {
                    work++;
                }
            }
        }
        synchronized (L4) {
            synchronized (L3) {
                synchronized (L2) {
                    work++;
                }
            }
        }
    }

    public static void main(String[] args) {
        new Thread(FourLocks::first).start();
        new Thread(FourLocks::second).start();
    }
}
