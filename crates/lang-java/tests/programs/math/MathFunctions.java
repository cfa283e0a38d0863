class MathFunctions {
    public static void main(String[] args) {
        double[] ds = {0, -0.0, 0.5, -1.5, 2.5, 3.7, -3.7, 1e10, Double.NaN, Double.POSITIVE_INFINITY};
        for (double d : ds) {
            System.out.println(Math.floor(d) + " " + Math.ceil(d) + " " + Math.rint(d) + " " + Math.round(d) + " " + Math.abs(d) + " " + Math.sqrt(d) + " " + Math.signum(d)
                + " " + Math.ulp(d) + " " + Math.nextUp(d) + " " + Math.getExponent(d) + " " + Math.cbrt(d) + " " + Math.toRadians(d) + " " + Math.toDegrees(d));
        }
        System.out.println(Math.floorDiv(-7, 2) + " " + Math.floorMod(-7, 2) + " " + Math.abs(Integer.MIN_VALUE) + " " + Math.max(1L, 2) + " " + Math.min(-0.0f, 0.0f) + " " + Math.hypot(3, 4));
        System.out.println(Math.IEEEremainder(5, 3) + " " + Math.scalb(1.5, 4) + " " + Math.copySign(2.0, -1.0) + " " + Math.fma(2.0, 3.0, 1.0)
            + " " + Math.multiplyHigh(1L << 62, 8) + " " + Math.nextAfter(1.0, 2.0));
    }
}
