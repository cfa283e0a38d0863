// no race
import java.util.*;

class ReadOnlyMap {
    static final Map<String, Integer> map = new HashMap<>();

    public static void main(String[] args) throws Exception {
        map.put("a", 0);
        go(() -> System.out.println(map.get("a")), () -> System.out.println(map.get("a")));
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
