import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.HexFormat;
import java.util.UUID;
import java.util.zip.CRC32;

class NameUuid {
    public static void main(String[] args) throws Exception {
        CRC32 c = new CRC32();
        c.update("123456789".getBytes(StandardCharsets.UTF_8));
        System.out.println(Long.toHexString(c.getValue()));
        System.out.println(HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest("abc".getBytes(StandardCharsets.UTF_8))));
        System.out.println(UUID.nameUUIDFromBytes("name".getBytes(StandardCharsets.UTF_8)));
    }
}
