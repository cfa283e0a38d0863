// Monitor methods without the monitor; unlock without the lock.
import java.util.concurrent.locks.ReentrantLock;

class C {
    public static void main(String[] args) throws InterruptedException {
        try {
            new Object().notify();
        } catch (IllegalMonitorStateException e) {
            System.out.println(e);
        }
        try {
            new Object().wait();
        } catch (IllegalMonitorStateException e) {
            System.out.println(e);
        }
        try {
            new ReentrantLock().unlock();
        } catch (IllegalMonitorStateException e) {
            System.out.println(e);
        }
    }
}
