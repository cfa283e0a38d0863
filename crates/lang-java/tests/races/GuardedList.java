// no race
import java.util.*;

class GuardedList {
    static final List<Integer> list = new ArrayList<>();

    static void add(int i) {
        synchronized (list) {
            list.add(i);
        }
    }

    public static void main(String[] args) throws Exception {
        go(() -> add(1), () -> add(2));
        System.out.println(list.size());
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
