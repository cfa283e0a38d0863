import java.nio.*; import java.nio.channels.*; import java.nio.file.*; import java.nio.charset.*;
public class FileChannels {
    public static void main(String[] args) throws Exception {
        Path p = Files.createTempFile("x",".txt");
        try (FileChannel c = FileChannel.open(p, StandardOpenOption.WRITE, StandardOpenOption.READ)) {
            System.out.println(c.write(ByteBuffer.wrap("hello".getBytes())));
            System.out.println(c.position()+" "+c.size());
            c.position(1);
            ByteBuffer b = ByteBuffer.allocate(10);
            System.out.println(c.read(b)+" "+new String(b.array(),0,b.position()));
            System.out.println(c.read(b));
            c.write(ByteBuffer.wrap("J".getBytes()), 0);
            ByteBuffer d = ByteBuffer.allocateDirect(5); System.out.println(c.read(d, 0)); d.flip(); System.out.println((char)d.get());
            c.truncate(2); System.out.println(c.size()); c.force(true);
        }
        System.out.println(Files.readString(p));
        try (java.io.RandomAccessFile r = new java.io.RandomAccessFile(p.toFile(),"rw"); FileChannel c = r.getChannel()) { System.out.println(c.size()); }
        try (java.io.FileInputStream r = new java.io.FileInputStream(p.toFile()); FileChannel c = r.getChannel()) { ByteBuffer b=ByteBuffer.allocate(4); System.out.println(c.read(b)); }
        try (java.io.FileOutputStream r = new java.io.FileOutputStream(p.toFile(), true); FileChannel c = r.getChannel()) { System.out.println(c.write(ByteBuffer.wrap("zz".getBytes()))+" "+c.size()); }
        System.out.println(Files.readString(p));
        Files.delete(p);
    }
}
