import java.util.concurrent.locks.LockSupport;
/** A thread runs before it is parked, and behind that. */
class ParkSeen {
    static volatile boolean running;
    public static void main(String[] a) throws Exception {
        Thread t = new Thread(() -> { running = true; LockSupport.park(); Object o = new Object(); synchronized (o) { try { o.wait(10); } catch (InterruptedException e) {} } });
        t.start();
        while (!running) Thread.onSpinWait();
        System.out.println(t.getState());
        LockSupport.unpark(t);
        System.out.println(t.getState());
    }
}
