class Initialisers {
    static StringBuilder log = new StringBuilder();

    static int log(String s) {
        log.append(s).append(' ');
        return s.length();
    }

    static class Base {
        int a = log("Base.a");

        {
            log("Base.block");
        }

        Base() {
            log("Base()");
            hook();
        }

        void hook() {
            log("Base.hook");
        }
    }

    static class Derived extends Base {
        int b = log("Derived.b");
        final int c;

        {
            log("Derived.block");
        }

        Derived() {
            this(1);
            log("Derived()");
        }

        Derived(int n) {
            super();
            c = log("Derived(int)");
        }

        @Override
        void hook() {
            log("Derived.hook:b=" + b + ",c=" + c);
        }
    }

    public static void main(String[] args) {
        new Derived();
        System.out.println(log);
    }
}
