// no race
import java.util.concurrent.*;
import java.util.concurrent.atomic.*;
import java.util.concurrent.locks.*;

class UsesSemaphore {
    static final Semaphore one = new Semaphore(1);
    static int x;

    static void step() {
        one.acquireUninterruptibly();
        x++;
        one.release();
    }

    public static void main(String[] args) throws Exception {
        go(UsesSemaphore::step, UsesSemaphore::step);
    }

    static void go(Runnable... all) throws InterruptedException {
        Thread[] threads = new Thread[all.length];
        for (int i = 0; i < all.length; i++) {
            threads[i] = new Thread(all[i]);
            threads[i].start();
        }
        for (Thread thread : threads) {
            thread.join();
        }
    }
}
