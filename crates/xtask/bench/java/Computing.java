import java.util.HashMap;

/*
 * One thread that computes: how fast instructions are executed.
 */
class Computing {
    static int sieve(int most) {
        boolean[] composite = new boolean[most + 1];
        int primes = 0;
        for (int i = 2; i <= most; i++) {
            if (!composite[i]) {
                primes++;
                for (int j = 2 * i; j <= most; j += i) {
                    composite[j] = true;
                }
            }
        }
        return primes;
    }

    static long product(int size) {
        long[][] a = new long[size][size];
        long[][] b = new long[size][size];
        for (int i = 0; i < size; i++) {
            for (int j = 0; j < size; j++) {
                a[i][j] = i + j;
                b[i][j] = i - j;
            }
        }
        long trace = 0;
        for (int i = 0; i < size; i++) {
            for (int j = 0; j < size; j++) {
                long sum = 0;
                for (int k = 0; k < size; k++) {
                    sum += a[i][k] * b[k][j];
                }
                trace += i == j ? sum : 0;
            }
        }
        return trace;
    }

    static int counts(int many) {
        HashMap<Integer, Integer> counts = new HashMap<>();
        for (int i = 0; i < many; i++) {
            counts.merge(i * 31 % 997, 1, Integer::sum);
        }
        int largest = 0;
        for (int count : counts.values()) {
            largest = Math.max(largest, count);
        }
        return largest;
    }

    public static void main(String[] args) {
        int primes = 0;
        long trace = 0;
        int largest = 0;
        for (int round = 0; round < 8; round++) {
            primes += sieve(100_000);
            trace += product(60);
            largest += counts(20_000);
        }
        System.out.println(primes + " " + trace + " " + largest);
    }
}
