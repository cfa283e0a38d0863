class IntegerTexts {
    public static void main(String[] args) {
        int[] is = {0, 7, -7, 255, -256, Integer.MAX_VALUE, Integer.MIN_VALUE, 1000000};
        for (int i : is) {
            System.out.println(Integer.toString(i) + " " + Integer.toBinaryString(i) + " " + Integer.toOctalString(i) + " " + Integer.toHexString(i)
                + " " + Integer.toString(i, 36) + " " + Integer.toUnsignedString(i) + " " + Integer.bitCount(i) + " " + Integer.reverse(i)
                + " " + Integer.highestOneBit(i) + " " + Integer.numberOfLeadingZeros(i) + " " + Integer.numberOfTrailingZeros(i) + " " + Integer.reverseBytes(i)
                + " " + Integer.rotateLeft(i, 3) + " " + Integer.signum(i));
        }
        long[] ls = {0, -1, 1L << 40, Long.MAX_VALUE, Long.MIN_VALUE};
        for (long l : ls) {
            System.out.println(Long.toString(l) + " " + Long.toHexString(l) + " " + Long.toBinaryString(l) + " " + Long.toString(l, 7) + " " + Long.toUnsignedString(l)
                + " " + Long.bitCount(l) + " " + Long.numberOfLeadingZeros(l) + " " + Long.reverse(l) + " " + Long.hashCode(l));
        }
        System.out.println(Integer.parseInt("-7f", 16) + " " + Integer.parseInt("+12") + " " + Integer.decode("-0x10") + " " + Integer.decode("010") + " " + Integer.decode("#ff"));
        System.out.println(Long.parseLong("zz", 36) + " " + Integer.parseUnsignedInt("4294967295") + " " + Long.parseUnsignedLong("18446744073709551615"));
        System.out.println(Integer.divideUnsigned(-1, 7) + " " + Integer.remainderUnsigned(-1, 7) + " " + Integer.compareUnsigned(-1, 1) + " " + Long.divideUnsigned(-1L, 10));
        System.out.println(Short.parseShort("-32768") + " " + Byte.parseByte("7f", 16) + " " + Byte.toUnsignedInt((byte) -1) + " " + Short.reverseBytes((short) 0x1234));
        System.out.println(Integer.getInteger("no.such.property", 9) + " " + Integer.sum(2, 3) + Integer.max(2, 3) + Integer.min(2, 3));
    }
}
