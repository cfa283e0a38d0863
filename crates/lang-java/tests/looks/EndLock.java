/** A thread does not end while another one has its monitor. */
class EndLock {
    public static void main(String[] a) throws Exception {
        Thread t = new Thread(() -> { });
        t.start();
        synchronized (t) { boolean b = t.isAlive(); boolean c = t.isAlive(); assert b == c; }
    }
}
