class InterfaceDefaults {
    interface A {
        default String who() {
            return "A";
        }
    }

    interface B extends A {
        default String who() {
            return "B over " + A.super.who();
        }
    }

    interface C extends A { }

    interface D {
        default String who() {
            return "D";
        }
    }

    static class Diamond implements B, C { }

    static class Both implements A, D {
        public String who() {
            return A.super.who() + D.super.who();
        }
    }

    static class Base {
        public String who() {
            return "Base";
        }
    }

    static class Wins extends Base implements A { }

    interface Counter {
        int next();

        default int skip(int n) {
            int last = 0;
            for (int i = 0; i < n; i++) last = next();
            return last;
        }

        static Counter from(int start) {
            int[] box = {start};
            return () -> box[0]++;
        }
    }

    public static void main(String[] args) {
        System.out.println(new Diamond().who() + ", " + new Both().who() + ", " + new Wins().who());
        System.out.println(Counter.from(5).skip(4));
        A a = new A() { };
        System.out.println(a.who());
    }
}
