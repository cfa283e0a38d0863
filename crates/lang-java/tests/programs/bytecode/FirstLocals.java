/** Every type in each of the first local variables, stored and loaded. */
class FirstLocals {
    static float floats(float a, float b, float c, float d) {
        a += 1;
        b += a;
        c += b;
        d += c;
        a = d - 1;
        return a + b + c + d;
    }

    static double doubles(double a, double c) {
        a += 1;
        c += a;
        return a * c;
    }

    static double shifted(int first, double b, float d) {
        b += first;
        d += 1;
        return b + d;
    }

    static double last(int a, int b, int c, double d) {
        d += a;
        d *= b - c;
        return d;
    }

    static long longs(long a, long c) {
        a += 1;
        c += a;
        return a * c;
    }

    static long shifted(int first, long b, int d) {
        b += first;
        d += 1;
        first = d;
        return b + d + first;
    }

    static String references(String a, String b, Object c, Object d) {
        a = a + b;
        b = a + c;
        c = b + d;
        d = c;
        return "" + a + b + c + d;
    }

    public static void main(String[] args) {
        System.out.println(floats(1, 2, 3, 4) + " " + doubles(1, 2) + " " + shifted(1, 2.5, 3f) + " " + last(1, 2, 3, 4));
        System.out.println(longs(1, 2) + " " + shifted(1, 2L, 3) + " " + references("a", "b", "c", "d"));
    }
}
