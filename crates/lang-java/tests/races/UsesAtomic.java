// no race
import java.util.concurrent.*;
import java.util.concurrent.atomic.*;
import java.util.concurrent.locks.*;

class UsesAtomic {
    static final AtomicInteger n = new AtomicInteger();
    static int data;

    public static void main(String[] args) throws Exception {
        go(() -> { data = 3; n.incrementAndGet(); }, () -> { if (n.get() == 1) System.out.println(data); });
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
