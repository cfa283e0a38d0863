// Monitors and exceptions; a wait at depth two keeps both levels.
class C {
    synchronized void fail() {
        throw new IllegalStateException();
    }

    public static void main(String[] args) throws InterruptedException {
        C c = new C();
        try {
            c.fail();
        } catch (IllegalStateException e) {
            System.out.println(Thread.holdsLock(c));
        }
        synchronized (c) {
            synchronized (c) {
                c.wait(1);
                System.out.println(Thread.holdsLock(c));
            }
            System.out.println(Thread.holdsLock(c));
        }
        System.out.println(Thread.holdsLock(c));
    }
}
