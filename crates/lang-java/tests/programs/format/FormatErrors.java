class FormatErrors {
    static void attempt(String f, Object... args) {
        try {
            System.out.println(String.format(f, args));
        } catch (RuntimeException e) {
            System.out.println(e.getClass().getName() + ": " + e.getMessage());
        }
    }

    public static void main(String[] args) {
        attempt("%d", 1.5);
        attempt("%d", "x");
        attempt("%f", 1);
        attempt("%q", 1);
        attempt("%s %s", "one");
        attempt("%-d", 1);
        attempt("%.2d", 1);
        attempt("%+s", "x");
        attempt("%#d", 1);
        attempt("%--5d", 1);
        attempt("%-05d", 1);
        attempt("%c", 1.0);
        attempt("%c", -5);
        attempt("%3$s", "a");
        attempt("%<s", "a");
        attempt("100%");
        attempt("%tQ", "x");
        attempt("%d", (Object) null);
        attempt("extra", 1, 2);
        attempt("%+(d", 1);
    }
}
