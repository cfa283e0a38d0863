import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Base64;
import java.util.HexFormat;

class Encodings {
    public static void main(String[] args) {
        String s = "a\u00e9\u4e2d\ud83d\ude00";
        for (Charset c : new Charset[] {StandardCharsets.UTF_8, StandardCharsets.UTF_16, StandardCharsets.UTF_16LE, StandardCharsets.ISO_8859_1, StandardCharsets.US_ASCII}) {
            byte[] b = s.getBytes(c);
            System.out.println(c + " " + Arrays.toString(b) + " " + new String(b, c).equals(s));
        }
        System.out.println(new String(new byte[] {(byte) 0xc3, 0x28, 65, (byte) 0xff}, StandardCharsets.UTF_8).codePoints().sum());
        System.out.println(Charset.defaultCharset() + " " + Charset.isSupported("UTF-8") + " " + Charset.forName("latin1"));
        String e = Base64.getEncoder().encodeToString("hello world?>".getBytes(StandardCharsets.UTF_8));
        System.out.println(e + " " + new String(Base64.getDecoder().decode(e), StandardCharsets.UTF_8) + " " + Base64.getUrlEncoder().withoutPadding().encodeToString(new byte[] {-1, -2}));
        System.out.println(HexFormat.of().formatHex(new byte[] {1, 127, -1}) + " " + Arrays.toString(HexFormat.of().parseHex("cafe")));
        try {
            Charset.forName("no-such");
        } catch (IllegalArgumentException x) {
            System.out.println(x);
        }
        try {
            Base64.getDecoder().decode("a*b");
        } catch (IllegalArgumentException x) {
            System.out.println(x.getMessage());
        }
    }
}
