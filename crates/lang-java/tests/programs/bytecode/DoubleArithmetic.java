class DoubleArithmetic {
    public static void main(String[] args) {
        double[] xs = {0.0, -0.0, 1.0, -2.5, 1e-310, 1.7e308, 0.1, Double.NaN, 1.0 / 0.0, -1.0 / 0.0};
        for (double x : xs) {
            for (double y : xs) {
                System.out.println((x + y) + " " + (x - y) + " " + (x * y) + " " + (x / y) + " " + (x % y));
            }
            System.out.println(-x);
        }
    }
}
