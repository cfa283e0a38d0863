// strong
import java.util.concurrent.*;
class Queue {
    static final LinkedBlockingQueue<Integer> q = new LinkedBlockingQueue<>();
    static final ConcurrentHashMap<String,Integer> m = new ConcurrentHashMap<>();
    public static void main(String[] a) throws Exception {
        Thread t = new Thread(() -> { q.add(1); m.put("a", 1); });
        t.start();
        m.put("b", 1); q.poll();
        t.join();
    }
}
