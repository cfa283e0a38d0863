// Exact arithmetic that overflows.
class C {
    public static void main(String[] args) {
        try {
            System.out.println(Math.addExact(Integer.MAX_VALUE, 1));
        } catch (ArithmeticException e) {
            System.out.println(e.getMessage());
        }
        try {
            System.out.println(Math.multiplyExact(Long.MAX_VALUE, 2L));
        } catch (ArithmeticException e) {
            System.out.println(e.getMessage());
        }
    }
}
