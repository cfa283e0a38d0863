import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;

/*
 * A thread waits for a lock for a limited time. Time orders nothing: it may get the lock or give up, and the program
 * must be right in both cases.
 *
 * Expected: holds
 */
class ImpatientLock {
    static final ReentrantLock LOCK = new ReentrantLock();
    static int value;

    public static void main(String[] args) throws InterruptedException {
        Thread holder = new Thread(() -> {
            LOCK.lock();
            try {
                value++;
            } finally {
                LOCK.unlock();
            }
        });
        holder.start();
        boolean got = LOCK.tryLock(1, TimeUnit.MILLISECONDS);
        if (got) {
            value++;
            LOCK.unlock();
        }
        holder.join();
        assert value == (got ? 2 : 1);
        System.out.println(got);
    }
}
