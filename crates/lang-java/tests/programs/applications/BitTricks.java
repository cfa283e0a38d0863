class BitTricks {
    static int parity(int x) {
        x ^= x >>> 16;
        x ^= x >>> 8;
        x ^= x >>> 4;
        return 0x6996 >>> (x & 15) & 1;
    }

    static long interleave(int x, int y) {
        long z = 0;
        for (int i = 0; i < 32; i++) z |= (long) (x >>> i & 1) << 2 * i | (long) (y >>> i & 1) << 2 * i + 1;
        return z;
    }

    static int gray(int n) {
        return n ^ n >>> 1;
    }

    static int isqrt(long n) {
        long r = 0;
        for (long bit = 1L << 30; bit > 0; bit >>= 1) if ((r | bit) * (r | bit) <= n) r |= bit;
        return (int) r;
    }

    public static void main(String[] args) {
        for (int x : new int[] {0, 1, 3, -1, 0x80000001, 123456789}) {
            System.out.println(parity(x) + " " + Integer.bitCount(x) % 2 + " " + gray(x) + " " + (x & -x) + " " + (x & x - 1) + " " + interleave(x, ~x) + " " + Integer.toBinaryString(x));
        }
        System.out.println(isqrt(1L << 40) + " " + isqrt(99) + " " + isqrt(Integer.MAX_VALUE));
        int swapped = 0x12345678;
        swapped = swapped << 24 | swapped >> 24 & 0xff | swapped << 8 & 0xff0000 | swapped >> 8 & 0xff00;
        System.out.println(Integer.toHexString(swapped) + " " + (swapped == Integer.reverseBytes(0x12345678)));
    }
}
