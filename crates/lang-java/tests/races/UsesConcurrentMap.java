// no race
import java.util.concurrent.*;
import java.util.concurrent.atomic.*;
import java.util.concurrent.locks.*;

class UsesConcurrentMap {
    static class Box { int x; }
    static final ConcurrentHashMap<String, Box> map = new ConcurrentHashMap<>();

    public static void main(String[] args) throws Exception {
        go(() -> { Box b = new Box(); b.x = 4; map.put("a", b); },
           () -> { Box b = map.get("a"); if (b != null) System.out.println(b.x); });
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
