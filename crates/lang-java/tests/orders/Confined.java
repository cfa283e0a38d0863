// strong
import java.nio.ByteBuffer;
import java.util.concurrent.atomic.AtomicInteger;

class Confined {
    static final AtomicInteger shared = new AtomicInteger();

    public static void main(String[] a) throws Exception {
        Thread t = new Thread(() -> {
            AtomicInteger mine = new AtomicInteger();
            mine.lazySet(1);
            ByteBuffer bytes = ByteBuffer.allocate(8);
            bytes.putLong(0, mine.getPlain());
            shared.getAndAdd((int) bytes.getLong(0));
        });
        t.start();
        shared.incrementAndGet();
        t.join();
        assert shared.getPlain() == 2;
    }
}
