class InitialiserFailure {
    static class Error1 {
        static {
            if (true) throw new IllegalStateException("no");
        }

        static void m() { }
    }

    static class Error2 {
        static int[] a = new int[1];
        static int v = a[1];
    }

    static class Error3 {
        static {
            if (true) throw new StackOverflowError("own");
        }

        int x;
    }

    static class Child extends Error1 { }

    static void run(Runnable r) {
        try {
            r.run();
            System.out.println("no error");
        } catch (Throwable t) {
            System.out.println(t.getClass().getName() + ": " + t.getMessage() + " / " + t.getCause());
        }
    }

    public static void main(String[] args) {
        run(() -> Error1.m());
        run(() -> Error1.m());
        run(() -> new Child());
        run(() -> System.out.println(Error2.v));
        run(() -> Error2.v = 1);
        run(() -> new Error3());
        run(() -> new Error3());
    }
}
