class FloatTexts {
    public static void main(String[] args) {
        double[] ds = {0.1, 0.5, 1.0, 10, 100, 1234567, 9999999, 1e7, 12345678.9, 1e-3, 9.99e-4, 1e21, 1e22, 1e23, 2e23, 3.14159265358979,
            Double.MAX_VALUE, Double.MIN_VALUE, Double.MIN_NORMAL, 4.35, 0.3, 1.0 / 3, 2.0 / 3, 100.0 / 7, 123456789012345680.0, 5e-324, 1e15, 123e-7};
        for (double d : ds) System.out.println(d + " " + -d);
        float[] fs = {0.1f, 0.5f, 1f, 16777216f, 16777217f, 3.4028235e38f, 1.4e-45f, 1.17549435e-38f, 33554432f, 1e10f, 0.001f, 0.0009f, 1f / 3, 8388608.5f};
        for (float f : fs) System.out.println(f + " " + -f + " " + (double) f);
        System.out.println(Double.toString(Double.NaN) + Float.toString(Float.NEGATIVE_INFINITY));
        System.out.println(Double.toHexString(1.0) + " " + Double.toHexString(-0.1) + " " + Double.toHexString(Double.MIN_VALUE) + " " + Float.toHexString(0.1f));
        String[] texts = {"1", "1e3", "-.5", "1.e2", "0x1.8p1", "Infinity", "NaN", " 7 ", "1e400", "1e-400", "4.9e-324", "2.2250738585072012e-308", "179769313486231580793e289", "1d", "1f"};
        for (String t : texts) System.out.println(t + " " + Double.parseDouble(t) + " " + Float.parseFloat(t));
        System.out.println(Double.doubleToLongBits(0.1) + " " + Float.floatToIntBits(0.1f) + " " + Double.longBitsToDouble(0x7ff0000000000001L) + " " + Float.intBitsToFloat(1));
        double sum = 0;
        for (int i = 0; i < 1000; i++) sum += 0.1 * i;
        System.out.println(sum);
    }
}
