// A read lock keeps its own thread from the write lock.
import java.util.concurrent.locks.ReentrantReadWriteLock;

class C {
    public static void main(String[] args) {
        ReentrantReadWriteLock lock = new ReentrantReadWriteLock();
        lock.readLock().lock();
        System.out.println(lock.writeLock().tryLock());
    }
}
