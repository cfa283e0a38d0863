// A lock that is waited for so that it can be interrupted: the interrupt may come behind the look at it, and the lock be
// free before the thread waits. Then it has the lock, and was interrupted.
// ends: interrupted
// ends: locked true
import java.util.concurrent.locks.ReentrantLock;

class InterruptedLock {
    public static void main(String[] args) throws Exception {
        ReentrantLock lock = new ReentrantLock();
        lock.lock();
        Thread other = new Thread(() -> {
            try {
                lock.lockInterruptibly();
                System.out.println("locked " + Thread.currentThread().isInterrupted());
                lock.unlock();
            } catch (InterruptedException interrupted) {
                System.out.println("interrupted");
            }
        });
        other.start();
        other.interrupt();
        lock.unlock();
        other.join();
    }
}
