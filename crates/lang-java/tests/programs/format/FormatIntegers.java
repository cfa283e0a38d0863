class FormatIntegers {
    public static void main(String[] args) {
        System.out.println(String.format("%d|%5d|%-5d|%05d|%+d|%,d|%(d|% d", 42, 42, 42, 42, 42, 1234567, -42, 42));
        System.out.println(String.format("%x|%X|%#x|%08x|%o|%#o", 255, 255, 255, 255, 8, 8));
        System.out.println(String.format("%x %o %d", -1, -1, Long.MIN_VALUE));
        System.out.println(String.format("%x %d %d", (byte) -1, (short) -2, (byte) 127));
        System.out.println(String.format("%2$s %1$s %2$s %<s", "a", "b"));
        System.out.println(String.format("%,d %,d %,d", 999, 1000, -1234567890123L));
        System.out.println(String.format("%d %x", new java.math.BigInteger("123456789012345678901234567890"), new java.math.BigInteger("-255")));
        System.out.println(String.format("%c|%C|%5c|%-3c|%c", 'a', 'b', 'c', 'd', 0x1f600));
        System.out.println(String.format("%b|%B|%b|%6b", true, null, "x", false));
        System.out.println(String.format("%n%%").length());
        System.out.println(String.format("%h %H", "hello", 255));
    }
}
