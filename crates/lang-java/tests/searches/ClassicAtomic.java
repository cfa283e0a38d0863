// A thread that waits in an atomic region of the classic kind lets nobody else run.
// ends: deadlock
import gov.nasa.jpf.vm.Verify;

class ClassicAtomic {
    public static void main(String[] args) throws InterruptedException {
        Object lock = new Object();
        Thread other = new Thread(() -> {
            synchronized (lock) {
                lock.notify();
            }
        });
        synchronized (lock) {
            Verify.beginAtomic();
            other.start();
            lock.wait();
            Verify.endAtomic();
        }
    }
}
