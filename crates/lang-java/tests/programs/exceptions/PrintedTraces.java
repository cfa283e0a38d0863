class PrintedTraces {
    static class Custom extends Exception {
        Custom(String s, Throwable c) {
            super(s, c);
        }
    }

    static void low() {
        Object[] a = new Integer[1];
        a[0] = "text";
    }

    static void mid() throws Custom {
        try {
            low();
        } catch (ArrayStoreException e) {
            throw new Custom("wrapped", e);
        }
    }

    public static void main(String[] args) {
        try {
            mid();
        } catch (Custom e) {
            Exception outer = new RuntimeException(e);
            outer.addSuppressed(new IllegalStateException("on the side"));
            outer.printStackTrace();
            outer.printStackTrace(System.out);
        }
        System.out.println(new Custom(null, null) + " " + new RuntimeException(new Error("x")).getMessage());
    }
}
