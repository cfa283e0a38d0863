import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.CharBuffer;
import java.nio.IntBuffer;

class Buffers {
    public static void main(String[] args) {
        ByteBuffer b = ByteBuffer.allocate(16);
        b.putInt(0x01020304).putLong(5L).put((byte) 9);
        System.out.println(b + " " + b.remaining());
        b.flip();
        System.out.println(b.getInt() + " " + b.getLong() + " " + b.get() + " " + b.hasRemaining());
        b.clear();
        b.order(ByteOrder.LITTLE_ENDIAN).putInt(1);
        System.out.println(b.get(0) + " " + b.get(3) + " " + b.order());
        IntBuffer i = IntBuffer.wrap(new int[] {1, 2, 3});
        i.get();
        System.out.println(i.slice().get(0) + " " + i.position() + " " + i.duplicate().limit());
        System.out.println(CharBuffer.wrap("chars").subSequence(1, 3));
        try {
            ByteBuffer.allocate(1).putInt(1);
        } catch (java.nio.BufferOverflowException e) {
            System.out.println(e);
        }
        System.out.println(ByteBuffer.wrap(new byte[] {1, 2}).equals(ByteBuffer.wrap(new byte[] {1, 2})) + " " + ByteBuffer.wrap(new byte[] {1}).compareTo(ByteBuffer.wrap(new byte[] {2})));
    }
}
