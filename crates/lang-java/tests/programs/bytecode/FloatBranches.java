class FloatBranches {
    static String floats(float a, float b) {
        return (a < b) + " " + (a > b) + " " + (a <= b) + " " + (a >= b) + " " + (a == b) + " " + (a != b);
    }

    static String negated(float a, float b) {
        return !(a < b) + " " + !(a > b) + " " + !(a <= b) + " " + !(a >= b);
    }

    public static void main(String[] args) {
        float[] xs = {0f, -0f, 1.5f, Float.NaN, Float.POSITIVE_INFINITY, Float.MIN_VALUE};
        for (float a : xs) {
            for (float b : xs) {
                System.out.println(a + " " + b + ": " + floats(a, b) + " / " + negated(a, b) + " " + Float.compare(a, b));
            }
        }
    }
}
