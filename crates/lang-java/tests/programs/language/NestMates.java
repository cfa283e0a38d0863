class NestMates {
    private static String top() {
        return "top";
    }

    private String instance() {
        return "instance";
    }

    static class A {
        private int secret = 1;

        private A() { }

        private static int hidden(int n) {
            return n * 2;
        }

        String up(NestMates n) {
            return top() + " " + n.instance() + " " + new B().open(this);
        }
    }

    private static class B {
        private String open(A a) {
            a.secret += A.hidden(10);
            return "secret " + a.secret--;
        }
    }

    interface Greeter {
        private String hidden() {
            return "private in interface";
        }
    }

    public static void main(String[] args) {
        A a = new A();
        System.out.println(a.up(new NestMates()));
        System.out.println(a.secret);
        Greeter g = new Greeter() { };
        System.out.println(g.hidden());
        System.out.println(A.class.getNestHost() + " " + A.class.isNestmateOf(B.class) + " " + NestMates.class.isNestmateOf(String.class));
    }
}
