class Rationals implements Comparable<Rationals> {
    static final Rationals ZERO = of(0, 1);
    final long num;
    final long den;

    private Rationals(long n, long d) {
        num = n;
        den = d;
    }

    static Rationals of(long n, long d) {
        if (d == 0) throw new ArithmeticException("zero denominator");
        long g = gcd(Math.abs(n), Math.abs(d));
        if (d < 0) g = -g;
        return new Rationals(n / g, d / g);
    }

    static long gcd(long a, long b) {
        while (b != 0) {
            long t = a % b;
            a = b;
            b = t;
        }
        return a == 0 ? 1 : a;
    }

    Rationals plus(Rationals o) {
        return of(Math.addExact(Math.multiplyExact(num, o.den), Math.multiplyExact(o.num, den)), Math.multiplyExact(den, o.den));
    }

    Rationals times(Rationals o) {
        return of(num * o.num, den * o.den);
    }

    @Override
    public int compareTo(Rationals o) {
        return Long.compare(num * o.den, o.num * den);
    }

    @Override
    public String toString() {
        return den == 1 ? "" + num : num + "/" + den;
    }

    public static void main(String[] args) {
        Rationals h = ZERO;
        try {
            for (int i = 1; ; i++) {
                h = h.plus(of(1, i));
                if (i % 10 == 0) System.out.println(i + " " + h);
            }
        } catch (ArithmeticException e) {
            System.out.println(e.getMessage() + " after " + h);
        }
        System.out.println(of(6, -8) + " " + of(1, 2).times(of(2, 3)) + " " + of(1, 2).compareTo(of(2, 3)));
        try {
            of(1, 0);
        } catch (ArithmeticException e) {
            System.out.println(e.getMessage());
        }
    }
}
