// Too large an array; too deep a recursion.
class C {
    static int depth(int n) {
        return depth(n + 1) + 1;
    }

    public static void main(String[] args) {
        try {
            System.out.println(new long[Integer.MAX_VALUE].length);
        } catch (OutOfMemoryError e) {
            System.out.println(e);
        }
        try {
            System.out.println(depth(0));
        } catch (StackOverflowError e) {
            System.out.println(e.getMessage() + " " + e.getStackTrace().length);
        }
    }
}
