class Transcendental {
    public static void main(String[] args) {
        double[] xs = {0, 0.5, 1, 2, 3.14159265358979, 10, 100, -0.5, -2};
        for (double x : xs) {
            System.out.println(StrictMath.sin(x) + " " + StrictMath.cos(x) + " " + StrictMath.tan(x) + " " + StrictMath.exp(x) + " " + StrictMath.atan(x) + " " + StrictMath.sinh(x)
                + " " + StrictMath.cosh(x) + " " + StrictMath.tanh(x) + " " + StrictMath.expm1(x) + " " + StrictMath.cbrt(x));
            System.out.println(StrictMath.log(x) + " " + StrictMath.log10(x) + " " + StrictMath.log1p(x) + " " + StrictMath.asin(x) + " " + StrictMath.acos(x) + " " + StrictMath.pow(x, 2.5) + " " + StrictMath.atan2(x, 2));
        }
        for (double x : xs) {
            System.out.printf("%.9f %.9f %.9f %.9e %.9f %.9f%n", Math.sin(x), Math.cos(x), Math.tan(x), Math.exp(x), Math.log(Math.abs(x) + 1), Math.pow(2, x));
        }
        System.out.println(Math.pow(2, 10) + " " + Math.pow(0, 0) + " " + Math.pow(-8, 3) + " " + Math.pow(-8, 1.0 / 3) + " " + Math.exp(0) + " " + Math.log(1) + " " + Math.log10(1000) + " " + Math.atan2(0, -1));
    }
}
