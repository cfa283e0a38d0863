import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.util.zip.Adler32;
import java.util.zip.CRC32;
import java.util.zip.CRC32C;
import java.util.zip.DataFormatException;
import java.util.zip.Deflater;
import java.util.zip.GZIPInputStream;
import java.util.zip.GZIPOutputStream;
import java.util.zip.Inflater;
import java.util.zip.ZipEntry;
import java.util.zip.ZipInputStream;
import java.util.zip.ZipOutputStream;

/** Checksums and packed streams. */
class ZipStreams {
    public static void main(String[] args) throws Exception {
        byte[] text = "the same words again and again, the same words again and again".repeat(20).getBytes();
        CRC32 crc = new CRC32();
        crc.update(text);
        crc.update(65);
        Adler32 adler = new Adler32();
        adler.update(text, 3, 100);
        adler.update(66);
        CRC32C other = new CRC32C();
        other.update(text);
        System.out.println(crc.getValue() + " " + adler.getValue() + " " + other.getValue());

        Deflater deflater = new Deflater();
        deflater.setInput(text);
        deflater.finish();
        byte[] packed = new byte[2000];
        int length = 0;
        while (!deflater.finished()) {
            length += deflater.deflate(packed, length, 7);
        }
        System.out.println(deflater.getTotalIn() + " " + (length < 300) + " " + (deflater.getTotalOut() == length));
        Inflater inflater = new Inflater();
        byte[] unpacked = new byte[2000];
        int at = 0;
        int given = 0;
        while (!inflater.finished()) {
            if (inflater.needsInput()) {
                int part = Math.min(10, length - given);
                inflater.setInput(packed, given, part);
                given += part;
            }
            at += inflater.inflate(unpacked, at, 33);
        }
        System.out.println(new String(unpacked, 0, at).equals(new String(text)) + " " + inflater.getTotalOut() + " " + inflater.getRemaining());
        inflater.reset();
        inflater.setInput(new byte[] {1, 2, 3, 4});
        try {
            inflater.inflate(unpacked);
        } catch (DataFormatException e) {
            System.out.println(e.getMessage());
        }

        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (GZIPOutputStream out = new GZIPOutputStream(bytes)) {
            out.write(text);
        }
        byte[] back = new GZIPInputStream(new ByteArrayInputStream(bytes.toByteArray())).readAllBytes();
        System.out.println(new String(back).equals(new String(text)));

        bytes.reset();
        try (ZipOutputStream out = new ZipOutputStream(bytes)) {
            out.putNextEntry(new ZipEntry("a.txt"));
            out.write("abc".getBytes());
            out.closeEntry();
            out.putNextEntry(new ZipEntry("b/c.txt"));
            out.write(text);
            out.closeEntry();
        }
        ZipInputStream in = new ZipInputStream(new ByteArrayInputStream(bytes.toByteArray()));
        for (ZipEntry entry = in.getNextEntry(); entry != null; entry = in.getNextEntry()) {
            System.out.println(entry.getName() + " " + in.readAllBytes().length);
        }
    }
}
