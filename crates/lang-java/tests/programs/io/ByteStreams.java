import java.io.BufferedInputStream;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.SequenceInputStream;
import java.util.Arrays;

class ByteStreams {
    public static void main(String[] args) throws IOException {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        try (DataOutputStream d = new DataOutputStream(out)) {
            d.writeInt(0x01020304);
            d.writeUTF("h\u00e9");
            d.writeDouble(1.5);
            d.writeLong(-2);
            d.writeBoolean(true);
            d.writeShort(-3);
        }
        byte[] b = out.toByteArray();
        System.out.println(Arrays.toString(b) + " " + out.size());
        DataInputStream in = new DataInputStream(new BufferedInputStream(new ByteArrayInputStream(b), 4));
        System.out.println(in.readInt() + " " + in.readUTF() + " " + in.readDouble() + " " + in.readLong() + " " + in.readBoolean() + " " + in.readShort() + " " + in.read());
        try {
            in.readInt();
        } catch (java.io.EOFException e) {
            System.out.println(e);
        }
        SequenceInputStream s = new SequenceInputStream(new ByteArrayInputStream(new byte[] {1, 2}), new ByteArrayInputStream(new byte[] {3}));
        System.out.println(Arrays.toString(s.readAllBytes()));
        ByteArrayInputStream m = new ByteArrayInputStream(new byte[] {1, 2, 3, 4});
        m.read();
        m.mark(9);
        m.skip(2);
        System.out.println(m.read() + " " + m.available());
        m.reset();
        System.out.println(m.read());
    }
}
