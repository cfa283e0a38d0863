import java.math.BigDecimal;
import java.math.MathContext;
import java.math.RoundingMode;

class BigDecimals {
    public static void main(String[] args) {
        BigDecimal a = new BigDecimal("12345.6789");
        BigDecimal b = new BigDecimal("-0.0321");
        System.out.println(a.add(b) + " " + a.subtract(b) + " " + a.multiply(b) + " " + a.divide(b, 10, RoundingMode.HALF_UP) + " " + a.remainder(b));
        for (RoundingMode r : RoundingMode.values()) {
            try {
                System.out.println(r + " " + new BigDecimal("2.5").setScale(0, r) + " " + new BigDecimal("-1.1").setScale(0, r));
            } catch (ArithmeticException e) {
                System.out.println(r + " " + e.getMessage());
            }
        }
        System.out.println(new BigDecimal(0.1) + " " + BigDecimal.valueOf(0.1) + " " + new BigDecimal("1e5") + " " + new BigDecimal("1e5").toPlainString() + " " + new BigDecimal("1.20e-10"));
        System.out.println(a.scale() + " " + a.precision() + " " + a.unscaledValue() + " " + a.stripTrailingZeros() + " " + new BigDecimal("100").stripTrailingZeros() + " " + a.negate().abs());
        System.out.println(new BigDecimal("1.0").equals(new BigDecimal("1.00")) + " " + new BigDecimal("1.0").compareTo(new BigDecimal("1.00")) + " " + new BigDecimal("1.0").hashCode());
        System.out.println(BigDecimal.ONE.divide(new BigDecimal(7), MathContext.DECIMAL64) + " " + new BigDecimal(2).sqrt(new MathContext(30)) + " " + a.round(new MathContext(3)));
        System.out.println(a.pow(3) + " " + a.movePointLeft(3) + " " + a.movePointRight(6) + " " + a.intValue() + " " + a.doubleValue() + " " + new BigDecimal("123456E3").toEngineeringString());
        System.out.println(a.max(b) + " " + a.signum() + " " + new BigDecimal("10").divide(new BigDecimal("4")) + " " + a.toBigInteger() + " " + a.ulp());
    }
}
