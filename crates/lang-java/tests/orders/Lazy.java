// weak
import java.util.concurrent.atomic.*;
class Lazy {
    static final AtomicInteger x = new AtomicInteger(), y = new AtomicInteger();
    public static void main(String[] a) throws Exception {
        int[] r = new int[2];
        Thread t = new Thread(() -> { x.lazySet(1); r[0] = y.get(); });
        t.start();
        y.lazySet(1); r[1] = x.get();
        t.join();
        assert r[0] + r[1] > 0;
    }
}
