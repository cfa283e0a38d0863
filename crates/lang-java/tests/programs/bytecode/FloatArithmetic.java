class FloatArithmetic {
    public static void main(String[] args) {
        float[] xs = {0f, -0f, 1f, -2.5f, 1e-40f, 3.4e38f, Float.NaN, Float.POSITIVE_INFINITY, Float.NEGATIVE_INFINITY};
        for (float x : xs) {
            for (float y : xs) {
                System.out.println((x + y) + " " + (x - y) + " " + (x * y) + " " + (x / y) + " " + (x % y));
            }
            System.out.println(-x);
        }
    }
}
