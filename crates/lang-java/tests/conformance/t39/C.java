// The interrupt flag and the four ways to wait.
import java.util.concurrent.locks.LockSupport;

class C {
    public static void main(String[] args) {
        Thread self = Thread.currentThread();
        self.interrupt();
        LockSupport.park();
        System.out.println("park " + self.isInterrupted());
        Object lock = new Object();
        try {
            synchronized (lock) {
                lock.wait();
            }
        } catch (InterruptedException e) {
            System.out.println("wait " + e.getMessage() + " " + self.isInterrupted());
        }
        self.interrupt();
        try {
            Thread.sleep(10);
        } catch (InterruptedException e) {
            System.out.println("sleep " + e.getMessage() + " " + self.isInterrupted());
        }
        Thread other = new Thread(() -> LockSupport.park());
        other.start();
        self.interrupt();
        try {
            other.join();
        } catch (InterruptedException e) {
            System.out.println("join " + e.getMessage() + " " + self.isInterrupted());
        }
        LockSupport.unpark(other);
    }
}
