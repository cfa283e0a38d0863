import java.util.function.Supplier;

class ExactArithmetic {
    static void attempt(Supplier<Object> s) {
        try {
            System.out.println(s.get());
        } catch (ArithmeticException e) {
            System.out.println(e.getMessage());
        }
    }

    public static void main(String[] args) {
        attempt(() -> Math.addExact(1, 2));
        attempt(() -> Math.addExact(Long.MAX_VALUE, 1L));
        attempt(() -> Math.subtractExact(Integer.MIN_VALUE, 1));
        attempt(() -> Math.multiplyExact(1 << 20, 1 << 12));
        attempt(() -> Math.multiplyExact(1L << 40, 3));
        attempt(() -> Math.negateExact(Integer.MIN_VALUE));
        attempt(() -> Math.incrementExact(Integer.MAX_VALUE));
        attempt(() -> Math.decrementExact(Long.MIN_VALUE));
        attempt(() -> Math.toIntExact(5L));
        attempt(() -> Math.absExact(Integer.MIN_VALUE));
        attempt(() -> Math.multiplyFull(1 << 30, 1 << 30));
        attempt(() -> Math.floorDiv(7L, -2));
        attempt(() -> 5 % 0);
    }
}
