// weak
import java.nio.ByteBuffer;
class Buf {
    static final ByteBuffer b = ByteBuffer.allocate(16);
    public static void main(String[] a) throws Exception {
        Thread t = new Thread(() -> b.putLong(0, -1L));
        t.start();
        long l = b.getLong(0);
        assert l == 0 || l == -1;
        t.join();
    }
}
