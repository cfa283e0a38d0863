import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.UUID;
import java.util.logging.Level;
import java.util.logging.Logger;

/** Message digests from the JDK's own providers, names made of them, a logger. */
class Digests {
    static String hex(byte[] bytes) {
        StringBuilder text = new StringBuilder();
        for (byte b : bytes) {
            text.append(String.format("%02x", b));
        }
        return text.toString();
    }

    public static void main(String[] args) throws Exception {
        for (String name : new String[] {"MD5", "SHA-1", "SHA-256", "SHA-512"}) {
            System.out.println(name + " " + hex(MessageDigest.getInstance(name).digest("abc".getBytes())));
        }
        try {
            MessageDigest.getInstance("none");
        } catch (NoSuchAlgorithmException e) {
            System.out.println(e.getMessage());
        }
        System.out.println(UUID.nameUUIDFromBytes("x".getBytes()) + " " + UUID.randomUUID().version());
        Logger logger = Logger.getLogger("quiet");
        logger.setLevel(Level.OFF);
        logger.info("not seen");
        System.out.println(logger.getName() + " " + logger.getLevel());
    }
}
