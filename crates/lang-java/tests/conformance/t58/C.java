// Conversions, shifts and remainders.
class C {
    static double nan = Double.NaN;
    static int min = Integer.MIN_VALUE;
    static int minusOne = -1;

    public static void main(String[] args) {
        System.out.println((int) nan);
        double big = 1e20;
        System.out.println((int) big);
        double d = 300.7;
        System.out.println((byte) d);
        double neg = -1.5;
        System.out.println((int) (char) neg);
        System.out.println(min / minusOne);
        int count = 33;
        System.out.println(1 << count);
        System.out.println(minusOne >>> 28);
        double x = -5.5;
        System.out.println(x % 2);
        double one = 1.0;
        System.out.println(one % 0);
        System.out.println(Math.round(-2.5));
        System.out.println(Math.min(0.0, -0.0));
    }
}
