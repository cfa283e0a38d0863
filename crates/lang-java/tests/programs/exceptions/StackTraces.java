class StackTraces {
    static void a(int n) {
        if (n == 0) {
            throw new IllegalStateException("deep");
        }
        a(n - 1);
    }

    static class Inner {
        Inner() {
            a(1);
        }

        static Object make() {
            return new Inner();
        }
    }

    public static void main(String[] args) {
        try {
            Inner.make();
        } catch (IllegalStateException e) {
            for (StackTraceElement f : e.getStackTrace()) {
                System.out.println(f + " | " + f.getClassName() + " " + f.getMethodName() + " " + f.getFileName() + " " + f.getLineNumber());
            }
        }
        Runnable r = () -> a(0);
        try {
            r.run();
        } catch (IllegalStateException e) {
            for (StackTraceElement f : e.getStackTrace()) {
                System.out.println(f.getMethodName() + " " + f.getLineNumber());
            }
        }
        StackTraceElement[] own = new Throwable().getStackTrace();
        System.out.println(own.length + " " + own[0]);
        System.out.println(new StackTraceElement("C", "m", "F.java", -2) + " " + new StackTraceElement("C", "m", null, 3));
    }
}
