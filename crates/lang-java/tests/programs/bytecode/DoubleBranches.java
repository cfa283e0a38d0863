class DoubleBranches {
    public static void main(String[] args) {
        double[] xs = {0.0, -0.0, 2.0, Double.NaN, Double.NEGATIVE_INFINITY, Double.MIN_VALUE};
        for (double a : xs) {
            for (double b : xs) {
                int bits = 0;
                if (a < b) bits |= 1;
                if (a > b) bits |= 2;
                if (a <= b) bits |= 4;
                if (a >= b) bits |= 8;
                if (a == b) bits |= 16;
                if (a != b) bits |= 32;
                if (!(a < b)) bits |= 64;
                if (!(a > b)) bits |= 128;
                System.out.println(a + " " + b + " " + bits + " " + Double.compare(a, b));
            }
        }
    }
}
