// A class initialiser that fails: the first and the second use.
class C {
    static class Bad {
        static int zero = 0;
        static int v = 1 / zero;
    }

    public static void main(String[] args) {
        try {
            System.out.println(Bad.v);
        } catch (ExceptionInInitializerError e) {
            System.out.println(e.getMessage() + " " + e.getCause());
        }
        try {
            System.out.println(Bad.v);
        } catch (NoClassDefFoundError e) {
            System.out.println(e.getMessage());
            System.out.println(e.getCause().getMessage());
        }
    }
}
