// The stamps of a StampedLock.
import java.util.concurrent.locks.StampedLock;

class C {
    public static void main(String[] args) {
        StampedLock lock = new StampedLock();
        long optimistic = lock.tryOptimisticRead();
        System.out.println(optimistic);
        long write = lock.writeLock();
        System.out.println(write);
        System.out.println(lock.validate(optimistic));
        lock.unlockWrite(write);
        System.out.println(lock.tryOptimisticRead());
    }
}
