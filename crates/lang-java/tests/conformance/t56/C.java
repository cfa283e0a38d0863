// Doubles as text, the way this release writes them.
class C {
    public static void main(String[] args) {
        double[] values = {
            2e23, 1e23, Math.scalb(1.0, -44), 8.41E21, 2.0E-3, 1.0E7, 0.001, Double.MIN_VALUE, (double) 1.1f,
        };
        for (double v : values) {
            System.out.println(v);
        }
    }
}
