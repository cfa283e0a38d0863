// The order of evaluation of an array store.
class C {
    public static void main(String[] args) {
        int n = 0;
        int[] a = null;
        try {
            a[n++] = n++;
        } catch (NullPointerException e) {
            System.out.println("null, n " + n);
        }
        int zero = 0;
        a = new int[1];
        try {
            a[5] = (n = 7) / zero;
        } catch (ArithmeticException e) {
            System.out.println("division, n " + n);
        }
    }
}
