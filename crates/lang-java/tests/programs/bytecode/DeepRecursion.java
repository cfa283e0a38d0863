class DeepRecursion {
    static int ackermann(int m, int n) {
        return m == 0 ? n + 1 : n == 0 ? ackermann(m - 1, 1) : ackermann(m - 1, ackermann(m, n - 1));
    }

    static int depth(int n) {
        return n == 0 ? 0 : 1 + depth(n - 1);
    }

    static boolean even(int n) {
        return n == 0 || odd(n - 1);
    }

    static boolean odd(int n) {
        return n != 0 && even(n - 1);
    }

    public static void main(String[] args) {
        System.out.println(ackermann(2, 5));
        System.out.println(depth(1000));
        System.out.println(even(501) + " " + odd(501));
        try {
            depth(-1);
        } catch (StackOverflowError e) {
            System.out.println(e);
        }
        System.out.println(depth(500));
    }
}
