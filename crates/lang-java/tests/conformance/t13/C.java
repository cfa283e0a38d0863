// A negative array size.
class C {
    public static void main(String[] args) {
        int n = -1;
        try {
            System.out.println(new int[n].length);
        } catch (NegativeArraySizeException e) {
            System.out.println(e);
        }
        try {
            System.out.println(new int[2][n - 1].length);
        } catch (NegativeArraySizeException e) {
            System.out.println(e);
        }
    }
}
