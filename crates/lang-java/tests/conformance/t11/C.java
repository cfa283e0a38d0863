// Division by zero.
class C {
    static int zero = 0;
    static long zeroL = 0;

    public static void main(String[] args) {
        try {
            System.out.println(1 / zero);
        } catch (ArithmeticException e) {
            System.out.println(e);
        }
        try {
            System.out.println(1 % zero);
        } catch (ArithmeticException e) {
            System.out.println(e);
        }
        try {
            System.out.println(1L / zeroL);
        } catch (ArithmeticException e) {
            System.out.println(e);
        }
    }
}
