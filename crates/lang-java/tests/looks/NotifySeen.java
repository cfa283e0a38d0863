/** A thread waits until it is notified. */
class NotifySeen {
    static final Object lock = new Object();
    static volatile boolean told;
    static boolean go;
    public static void main(String[] a) throws Exception {
        Thread t = new Thread(() -> { synchronized (lock) { while (!go) try { lock.wait(); } catch (InterruptedException e) {} } });
        t.start();
        Thread u = new Thread(() -> { synchronized (lock) { go = true; told = true; lock.notify(); } });
        u.start();
        if (told) System.out.println(t.getState());
    }
}
