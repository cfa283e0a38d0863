import java.math.BigInteger;

class BigIntegers {
    public static void main(String[] args) {
        BigInteger a = new BigInteger("123456789012345678901234567890");
        BigInteger b = BigInteger.valueOf(-987654321987L);
        System.out.println(a.add(b) + " " + a.subtract(b) + " " + a.multiply(b) + " " + a.divide(b) + " " + a.mod(b.negate()) + " " + a.remainder(b));
        System.out.println(a.pow(5) + " " + a.gcd(b) + " " + a.negate() + " " + b.abs() + " " + b.signum() + " " + a.compareTo(b));
        System.out.println(a.modPow(BigInteger.TEN, BigInteger.valueOf(97)) + " " + BigInteger.valueOf(3).modInverse(BigInteger.valueOf(11)) + " " + a.sqrt());
        System.out.println(a.and(b) + " " + a.or(b) + " " + a.xor(b) + " " + b.not() + " " + a.shiftLeft(33) + " " + b.shiftRight(5) + " " + a.testBit(3) + " " + a.setBit(100));
        System.out.println(a.bitLength() + " " + a.bitCount() + " " + b.getLowestSetBit() + " " + a.toString(16) + " " + b.toString(36) + " " + new BigInteger("-ff", 16));
        BigInteger f = BigInteger.ONE;
        for (int i = 2; i <= 60; i++) f = f.multiply(BigInteger.valueOf(i));
        System.out.println(f + " " + f.hashCode() + " " + f.intValue() + " " + f.longValue() + " " + f.doubleValue());
        System.out.println(BigInteger.valueOf(97).isProbablePrime(20) + " " + BigInteger.valueOf(100).nextProbablePrime());
        System.out.println(java.util.Arrays.toString(b.toByteArray()) + " " + new BigInteger(new byte[] {-1, 0}) + " " + BigInteger.TWO.max(BigInteger.TEN));
        try {
            f.intValueExact();
        } catch (ArithmeticException e) {
            System.out.println(e.getMessage());
        }
        System.out.println(java.util.Arrays.toString(a.divideAndRemainder(BigInteger.valueOf(1000))) + a.equals(new BigInteger(a.toString())));
    }
}
