import java.util.concurrent.BrokenBarrierException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.Phaser;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.concurrent.locks.ReentrantReadWriteLock;
import java.util.concurrent.locks.StampedLock;

class Locks {
    public static void main(String[] args) throws InterruptedException, BrokenBarrierException {
        ReentrantLock l = new ReentrantLock(true);
        l.lock();
        l.lock();
        System.out.println(l.getHoldCount() + " " + l.isHeldByCurrentThread() + " " + l.isFair() + " " + l.tryLock() + " " + l.isLocked() + l.hasQueuedThreads());
        l.unlock();
        l.unlock();
        l.unlock();
        System.out.println(l.isLocked());
        Condition c = l.newCondition();
        try {
            c.signal();
        } catch (IllegalMonitorStateException e) {
            System.out.println(e);
        }
        l.lock();
        System.out.println(c.awaitNanos(1) <= 0);
        System.out.println(c.await(1, TimeUnit.MILLISECONDS));
        l.unlock();
        ReentrantReadWriteLock rw = new ReentrantReadWriteLock();
        rw.writeLock().lock();
        rw.readLock().lock();
        System.out.println(rw.getReadLockCount() + " " + rw.isWriteLocked() + " " + rw.getReadHoldCount() + rw.getWriteHoldCount());
        rw.writeLock().unlock();
        rw.readLock().unlock();
        StampedLock s = new StampedLock();
        long r = s.readLock();
        long w = s.tryConvertToWriteLock(r);
        System.out.println(w != 0 && s.isWriteLocked());
        s.unlock(w);
        System.out.println(s.isReadLocked() + " " + s.validate(s.tryOptimisticRead()));
        Semaphore p = new Semaphore(2);
        p.acquire();
        System.out.println(p.availablePermits() + " " + p.tryAcquire(2) + " " + p.tryAcquire() + " " + p.drainPermits());
        p.release(3);
        System.out.println(p.availablePermits());
        CountDownLatch d = new CountDownLatch(2);
        d.countDown();
        System.out.println(d.getCount() + " " + d.await(1, TimeUnit.MILLISECONDS));
        d.countDown();
        d.await();
        CyclicBarrier b = new CyclicBarrier(1, () -> System.out.println("barrier"));
        System.out.println(b.await() + " " + b.getParties() + b.getNumberWaiting() + b.isBroken());
        Phaser ph = new Phaser(1);
        System.out.println(ph.arriveAndAwaitAdvance() + " " + ph.register() + " " + ph.getRegisteredParties() + ph.arriveAndDeregister());
    }
}
