// There is one permit per thread; a permit given before the start is lost.
import java.util.concurrent.locks.LockSupport;

class C {
    static volatile int phase;

    static void awaitParked(Thread t, int wanted) {
        while (phase != wanted || t.getState() != Thread.State.WAITING) {
            Thread.yield();
        }
    }

    public static void main(String[] args) throws InterruptedException {
        Thread t = new Thread(() -> {
            LockSupport.unpark(Thread.currentThread());
            LockSupport.unpark(Thread.currentThread());
            LockSupport.park();
            phase = 1;
            LockSupport.park();
            phase = 2;
        });
        t.start();
        awaitParked(t, 1);
        System.out.println("the second park waits");
        LockSupport.unpark(t);
        t.join();

        phase = 0;
        Thread early = new Thread(() -> {
            phase = 1;
            LockSupport.park();
            phase = 2;
        });
        LockSupport.unpark(early);
        early.start();
        awaitParked(early, 1);
        System.out.println("the early permit is lost");
        LockSupport.unpark(early);
        early.join();
        System.out.println(phase);
    }
}
