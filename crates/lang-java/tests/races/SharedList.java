// race: java.util.ArrayList
import java.util.*;

class SharedList {
    static final List<Integer> list = new ArrayList<>();

    public static void main(String[] args) throws Exception {
        go(() -> list.add(1), () -> list.add(2));
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
