class Varargs {
    static String f(Object... os) {
        return os == null ? "null array" : os.length + " objects";
    }

    static String h(int a, int... rest) {
        int sum = a;
        for (int r : rest) sum += r;
        return "ints " + sum;
    }

    static String g(String s) {
        return "one";
    }

    static String g(String... s) {
        return "many " + s.length;
    }

    public static void main(String[] args) {
        System.out.println(f() + ", " + f("a") + ", " + f("a", "b") + ", " + f((Object[]) null) + ", " + f((Object) null));
        System.out.println(h(1) + ", " + h(1, 2, 3) + ", " + f(1L, 2));
        System.out.println(f(new Object[] {1, 2, 3}) + ", " + f(new int[] {1, 2}) + ", " + f((Object) new String[2]));
        System.out.println(g("x") + g() + g("x", "y"));
        System.out.println(String.join("-", "a", "b", "c"));
    }
}
