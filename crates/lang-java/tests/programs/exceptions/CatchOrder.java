class CatchOrder {
    static class A extends Exception { }

    static class B extends A { }

    static String run(int n) {
        try {
            switch (n) {
                case 0: throw new A();
                case 1: throw new B();
                case 2: throw new IllegalArgumentException("i");
                case 3: throw new ArithmeticException("m");
                case 4: throw new Error("e");
                default: return "none";
            }
        } catch (B e) {
            return "B";
        } catch (A e) {
            return "A";
        } catch (IllegalArgumentException | ArithmeticException e) {
            return "multi " + e.getMessage();
        } catch (Throwable t) {
            return "throwable " + t;
        }
    }

    static <T extends Throwable> void sneaky(Throwable t) throws T {
        @SuppressWarnings("unchecked")
        T cast = (T) t;
        throw cast;
    }

    static void rethrow(int n) throws A {
        try {
            if (n == 0) throw new B();
        } catch (final Exception e) {
            throw e;
        }
    }

    public static void main(String[] args) {
        for (int n = 0; n < 6; n++) System.out.println(run(n));
        try {
            CatchOrder.<RuntimeException>sneaky(new java.io.IOException("checked"));
        } catch (Exception e) {
            System.out.println(e);
        }
        try {
            rethrow(0);
        } catch (A e) {
            System.out.println(e.getClass().getName());
        }
    }
}
