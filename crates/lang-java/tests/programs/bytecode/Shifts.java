class Shifts {
    public static void main(String[] args) {
        int[] counts = {0, 1, 5, 31, 32, 33, 63, 64, -1};
        int i = 0x9ABCDEF1;
        long l = 0x9ABCDEF123456789L;
        for (int c : counts) {
            System.out.println(c + ": " + (i << c) + " " + (i >> c) + " " + (i >>> c));
            System.out.println(c + ": " + (l << c) + " " + (l >> c) + " " + (l >>> c));
            System.out.println(c + ": " + (i << (long) c) + " " + (l >>> (long) c));
        }
        byte b = (byte) 0x80;
        b >>>= 1;
        short s = -2;
        s <<= 3;
        System.out.println(b + " " + s);
    }
}
