// no race
import java.util.concurrent.*;
import java.util.concurrent.atomic.*;
import java.util.concurrent.locks.*;

class UsesReentrantLock {
    static final ReentrantLock lock = new ReentrantLock();
    static int x;

    static void step() {
        lock.lock();
        try {
            x++;
        } finally {
            lock.unlock();
        }
    }

    public static void main(String[] args) throws Exception {
        go(UsesReentrantLock::step, UsesReentrantLock::step);
        System.out.println(x);
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
