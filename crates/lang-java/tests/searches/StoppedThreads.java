// A thread that waits is stopped: it needs the monitor first, finally blocks run, and nobody hears of it. Another one
// suspends itself and is resumed; one that is suspended and never resumed is a deadlock.
// ends: dead true|ended TERMINATED|resumed
// ends: dead true|ended TERMINATED; deadlock
// endless
class StoppedThreads {
    static final Object LOCK = new Object();

    @SuppressWarnings("removal")
    public static void main(String[] args) throws Exception {
        Thread waiter = new Thread(() -> {
            synchronized (LOCK) {
                try {
                    LOCK.wait();
                } catch (InterruptedException interrupted) {
                    System.out.println("interrupted");
                } finally {
                    System.out.println("dead " + Thread.holdsLock(LOCK));
                }
            }
        });
        waiter.start();
        while (waiter.getState() != Thread.State.WAITING) {
            Thread.yield();
        }
        waiter.stop();
        waiter.join();
        System.out.println("ended " + waiter.getState());
        Thread sleeper = new Thread(() -> {
            Thread.currentThread().suspend();
            System.out.println("resumed");
        });
        sleeper.start();
        sleeper.resume();
        sleeper.join();
    }
}
