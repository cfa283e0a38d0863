class Assertions {
    static int calls;

    static boolean check(boolean b) {
        calls++;
        return b;
    }

    public static void main(String[] args) {
        assert check(true);
        assert check(true) : "unused " + calls;
        try {
            assert check(false) : calls;
        } catch (AssertionError e) {
            System.out.println(e.getMessage() + " " + e.getCause());
        }
        try {
            assert check(false) : new RuntimeException("cause");
        } catch (AssertionError e) {
            System.out.println(e.getMessage() + " / " + e.getCause().getMessage());
        }
        try {
            assert check(false);
        } catch (AssertionError e) {
            System.out.println(e.getMessage());
        }
        System.out.println(calls + " " + Assertions.class.desiredAssertionStatus() + " " + String.class.desiredAssertionStatus());
    }
}
