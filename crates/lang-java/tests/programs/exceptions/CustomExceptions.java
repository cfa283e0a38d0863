class CustomExceptions {
    static class Coded extends RuntimeException {
        final int code;

        Coded(int code) {
            super("code " + code);
            this.code = code;
        }

        @Override
        public String getMessage() {
            return "<" + super.getMessage() + ">";
        }
    }

    static class Quiet extends RuntimeException {
        Quiet() {
            super("quiet", null, false, false);
        }
    }

    static class Named extends Exception {
        @Override
        public String toString() {
            return "Named!";
        }

        @Override
        public String getLocalizedMessage() {
            return "local";
        }
    }

    public static void main(String[] args) {
        try {
            throw new Coded(4);
        } catch (Coded c) {
            System.out.println(c + " " + c.code);
        }
        Quiet q = new Quiet();
        q.addSuppressed(new Error());
        System.out.println(q.getStackTrace().length + " " + q.getSuppressed().length);
        System.out.println(new Named() + " " + new Named().getLocalizedMessage() + " " + new Exception() {
            @Override
            public String getLocalizedMessage() {
                return "anon";
            }
        }.toString());
        Throwable t = new Throwable("t");
        t.initCause(new Error("c"));
        System.out.println(t.getCause());
        try {
            t.initCause(null);
        } catch (IllegalStateException e) {
            System.out.println(e.getMessage());
        }
        try {
            t.addSuppressed(t);
        } catch (IllegalArgumentException e) {
            System.out.println(e.getMessage());
        }
        StackTraceElement[] empty = {};
        t.setStackTrace(empty);
        System.out.println(t.getStackTrace().length);
    }
}
