/** A thread that sleeps, waits for a time, and for a lock that another one has. */
class SleepSeen {
    static final Object lock = new Object();
    static volatile int step;

    public static void main(String[] a) throws Exception {
        Thread t = new Thread(() -> {
            try {
                step = 1;
                Thread.sleep(10);
                synchronized (lock) {
                    step = 2;
                    lock.wait(10);
                }
            } catch (InterruptedException e) {
                System.out.println("interrupted");
            }
        });
        t.start();
        synchronized (lock) {
            if (step == 1) System.out.println("before " + t.getState());
        }
        synchronized (lock) {
            if (step == 2) System.out.println("behind " + t.getState());
        }
    }
}
