// Negative times; a thread started twice.
class C {
    public static void main(String[] args) throws InterruptedException {
        Object lock = new Object();
        try {
            synchronized (lock) {
                lock.wait(-1);
            }
        } catch (IllegalArgumentException e) {
            System.out.println(e);
        }
        try {
            Thread.sleep(-1);
        } catch (IllegalArgumentException e) {
            System.out.println(e);
        }
        Thread t = new Thread();
        t.start();
        t.join();
        try {
            t.start();
        } catch (IllegalThreadStateException e) {
            System.out.println(e);
        }
    }
}
