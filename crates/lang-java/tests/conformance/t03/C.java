// The three uses of a null array.
class C {
    static int[] ia;

    public static void main(String[] args) {
        try {
            System.out.println(ia[0]);
        } catch (NullPointerException e) {
            System.out.println(e.getMessage());
        }
        try {
            ia[0] = 1;
        } catch (NullPointerException e) {
            System.out.println(e.getMessage());
        }
        try {
            System.out.println(ia.length);
        } catch (NullPointerException e) {
            System.out.println(e.getMessage());
        }
    }
}
