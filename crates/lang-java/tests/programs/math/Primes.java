import java.util.BitSet;

class Primes {
    static long gcd(long a, long b) {
        return b == 0 ? a : gcd(b, a % b);
    }

    static long power(long b, long e, long m) {
        long r = 1;
        for (b %= m; e > 0; e >>= 1, b = b * b % m) {
            if ((e & 1) == 1) r = r * b % m;
        }
        return r;
    }

    public static void main(String[] args) {
        BitSet sieve = new BitSet(200);
        sieve.set(2, 200);
        for (int i = 2; i * i < 200; i = sieve.nextSetBit(i + 1)) {
            for (int j = i * i; j < 200; j += i) sieve.clear(j);
        }
        System.out.println(sieve + " " + sieve.cardinality());
        System.out.println(gcd(1071, 462) + " " + power(3, 200, 1000007));
        long hash = 0xcbf29ce484222325L;
        for (byte b : "hash me".getBytes()) {
            hash ^= b;
            hash *= 0x100000001b3L;
        }
        System.out.println(Long.toHexString(hash));
        int crc = -1;
        for (byte b : "123456789".getBytes()) {
            crc ^= b;
            for (int k = 0; k < 8; k++) crc = (crc >>> 1) ^ (0xEDB88320 & -(crc & 1));
        }
        System.out.println(Integer.toHexString(~crc));
    }
}
