import java.util.concurrent.locks.LockSupport;

/** What another thread is parked for. */
class Blocker {
    static volatile boolean ready;

    public static void main(String[] a) throws Exception {
        Thread t = new Thread(() -> {
            ready = true;
            LockSupport.park("it");
        });
        t.start();
        if (ready) System.out.println(LockSupport.getBlocker(t));
        LockSupport.unpark(t);
    }
}
