// race: java.nio.HeapByteBuffer
import java.nio.ByteBuffer;
class BufOne {
    static final ByteBuffer b = ByteBuffer.allocate(16);
    public static void main(String[] a) throws Exception {
        Thread t = new Thread(() -> b.put(0, (byte) 1));
        t.start();
        byte l = b.get(0);
        t.join();
    }
}
