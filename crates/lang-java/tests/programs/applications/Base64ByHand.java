class Base64ByHand {
    static final String ALPHABET = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

    static String encode(byte[] in) {
        StringBuilder b = new StringBuilder();
        for (int i = 0; i < in.length; i += 3) {
            int v = (in[i] & 255) << 16 | (i + 1 < in.length ? in[i + 1] & 255 : 0) << 8 | (i + 2 < in.length ? in[i + 2] & 255 : 0);
            for (int j = 0; j < 4; j++) b.append(i + j > in.length ? '=' : ALPHABET.charAt(v >> 18 - 6 * j & 63));
        }
        return b.toString();
    }

    public static void main(String[] args) {
        for (String s : new String[] {"", "M", "Ma", "Man", "Many hands"}) {
            System.out.println(encode(s.getBytes()) + " " + encode(s.getBytes()).equals(java.util.Base64.getEncoder().encodeToString(s.getBytes())));
        }
        System.out.println(encode(new byte[] {-1, -2, -128, 127, 0}));
    }
}
