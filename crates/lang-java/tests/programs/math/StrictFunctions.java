import java.util.Random;

/** Functions whose results are fixed to the last bit, and numbers that depend on them. */
public class StrictFunctions {
    static void show(String name, double value) {
        System.out.println(name + " " + Long.toHexString(Double.doubleToLongBits(value)));
    }

    public static void main(String[] args) {
        Random random = new Random(11);
        for (int i = 0; i < 60; i++) {
            double x = i < 20 ? i : i < 40 ? random.nextGaussian() : random.nextGaussian() * 300;
            show("gaussian", x);
            show("log", StrictMath.log(Math.abs(x)));
            show("log10", StrictMath.log10(Math.abs(x)));
            show("exp", StrictMath.exp(x));
            show("sinh", StrictMath.sinh(x));
            show("cosh", StrictMath.cosh(x));
            show("tanh", Math.tanh(x));
        }
        for (double x : new double[] {-0.0, Double.MIN_VALUE, 1e-310, 1e-30, 1e308, 709.9, -745.2, -750, 1.0 / 0, 0.0 / 0}) {
            show("log", StrictMath.log(x) + 0.0);
            show("log10", StrictMath.log10(x) + 0.0);
            show("sinh", StrictMath.sinh(x) + 0.0);
            show("cosh", StrictMath.cosh(x) + 0.0);
            show("tanh", StrictMath.tanh(x) + 0.0);
        }
        System.out.println(Math.tan(Math.PI / 4) < 1);
        System.out.println(Math.pow(10, 15) == 1e15);
    }
}
