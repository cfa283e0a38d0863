// Threads that look again and again see what others do, without a word of the program about it.
// ends: plain|volatile|interrupted|ended
// endless
class Spinning {
    static boolean plain;
    static volatile boolean seen;

    public static void main(String[] args) throws InterruptedException {
        Thread a = new Thread(() -> {
            while (!plain) {
            }
            System.out.println("plain");
        });
        a.start();
        plain = true;
        a.join();
        Thread b = new Thread(() -> {
            while (!seen) {
                Thread.onSpinWait();
            }
            System.out.println("volatile");
        });
        b.start();
        seen = true;
        b.join();
        Thread c = new Thread(() -> {
            while (!Thread.currentThread().isInterrupted()) {
            }
            System.out.println("interrupted");
        });
        c.start();
        c.interrupt();
        while (c.isAlive()) {
            Thread.yield();
        }
        System.out.println("ended");
    }
}
