class FormatFloats {
    public static void main(String[] args) {
        double[] ds = {0, -0.0, 1, -1.5, 3.14159265, 1e10, 1e-10, 123456.789, 0.5, 1.5, 2.5, 99.995, 1e100, Double.NaN, Double.POSITIVE_INFINITY};
        for (double d : ds) {
            System.out.println(String.format("%f|%.2f|%10.3f|%-10.1f|%+.1f|%,.2f|%010.2f|%(.1f", d, d, d, d, d, d, d, d));
            System.out.println(String.format("%e|%.2E|%g|%.3g|%.0f", d, d, d, d, d));
        }
        System.out.println(String.format("%a %s %.3s %s", 1.0, 1.0, 1.23456, 1.1f));
        System.out.println(String.format("%.1f %.1f %.1f %.3f", 0.05, 0.15, 0.25, 1.0005));
        System.out.println(String.format("%.20f", 0.1));
        System.out.println(String.format("%f %.3f", new java.math.BigDecimal("1234.56789"), new java.math.BigDecimal("1e-3")));
        System.out.println(String.format("%.2f %.0f", 1f / 3, 1e15f));
    }
}
