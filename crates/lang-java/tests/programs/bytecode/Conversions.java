class Conversions {
    public static void main(String[] args) {
        int[] is = {0, 65, -1, 300, 70000, Integer.MAX_VALUE, Integer.MIN_VALUE};
        for (int i : is) {
            System.out.println((long) i + " " + (float) i + " " + (double) i + " " + (byte) i + " " + (short) i + " " + (int) (char) i);
        }
        long[] ls = {0, -1, 1L << 33, Long.MAX_VALUE, Long.MIN_VALUE, 123456789012345678L};
        for (long l : ls) {
            System.out.println((int) l + " " + (float) l + " " + (double) l + " " + (byte) l + " " + (int) (char) l);
        }
        float[] fs = {0f, -1.9f, 1e10f, 1e30f, Float.NaN, Float.NEGATIVE_INFINITY};
        for (float f : fs) {
            System.out.println((int) f + " " + (long) f + " " + (double) f + " " + (byte) f + " " + (short) f + " " + (int) (char) f);
        }
        double[] ds = {0.0, 1.9, -1.9, 1e10, 1e300, Double.NaN, Double.POSITIVE_INFINITY, 1e-50};
        for (double d : ds) {
            System.out.println((int) d + " " + (long) d + " " + (float) d + " " + (byte) d + " " + (short) d + " " + (int) (char) d);
        }
    }
}
