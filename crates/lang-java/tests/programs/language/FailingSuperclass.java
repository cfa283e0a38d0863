/** A superclass whose initialiser fails makes its subclasses unusable, too. */
class FailingSuperclass {
    static class Bad {
        static int q = 1;

        static {
            if (q == 1) {
                throw new IllegalStateException("bad");
            }
        }
    }

    static class Sub extends Bad {
        static int z = Integer.parseInt("3");

        static void use() {
        }
    }

    static class Plain extends Bad {
    }

    static class Late extends Plain {
        static void use() {
        }
    }

    interface WithDefault {
        Object MADE = FailingSuperclass.note("WithDefault");

        default void nothing() {
        }
    }

    interface Below extends WithDefault {
        Object MADE = FailingSuperclass.note("Below");

        default void more() {
        }
    }

    static class Above {
        static {
            note("Above");
        }
    }

    static class Both extends Above implements Below {
    }

    static Object note(String text) {
        System.out.println("initialises " + text);
        return text;
    }

    static void attempt(String name, Runnable use) {
        try {
            use.run();
            System.out.println(name + " works");
        } catch (Throwable t) {
            System.out.println(name + ": " + t + ", cause " + t.getCause());
        }
    }

    public static void main(String[] args) {
        attempt("Sub", Sub::use);
        attempt("Sub", Sub::use);
        attempt("new Sub", () -> new Sub());
        attempt("Bad", () -> System.out.println(Bad.q));
        attempt("Plain", () -> new Plain());
        attempt("Plain", () -> new Plain());
        attempt("Late", Late::use);
        attempt("Late", Late::use);
        attempt("Both", () -> new Both());
    }
}
