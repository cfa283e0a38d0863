// no race
import java.util.concurrent.*;
import java.util.concurrent.atomic.*;
import java.util.concurrent.locks.*;

class UsesReadWriteLock {
    static final ReentrantReadWriteLock lock = new ReentrantReadWriteLock();
    static int x;

    static void write() {
        lock.writeLock().lock();
        x++;
        lock.writeLock().unlock();
    }

    static void read() {
        lock.readLock().lock();
        System.out.println(x);
        lock.readLock().unlock();
    }

    public static void main(String[] args) throws Exception {
        go(UsesReadWriteLock::write, UsesReadWriteLock::read);
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
