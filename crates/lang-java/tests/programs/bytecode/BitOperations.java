class BitOperations {
    public static void main(String[] args) {
        int[] is = {0, -1, 0x0F0F, 0x80000000};
        for (int a : is) {
            for (int b : is) {
                System.out.println((a & b) + " " + (a | b) + " " + (a ^ b));
            }
        }
        long[] ls = {0L, -1L, 0x0F0F0F0F0F0FL, Long.MIN_VALUE};
        for (long a : ls) {
            for (long b : ls) {
                System.out.println((a & b) + " " + (a | b) + " " + (a ^ b));
            }
        }
        boolean t = args.length == 0;
        boolean f = !t;
        System.out.println((t & f) + " " + (t | f) + " " + (t ^ f) + " " + (t ^ t));
        int x = 6;
        x &= 3;
        x |= 8;
        x ^= 5;
        System.out.println(x);
    }
}
