// A cycle of initialisers in one thread sees default values.
class C {
    static class A {
        static int v = B.w + 1;
    }

    static class B {
        static int w = A.v + 1;
    }

    public static void main(String[] args) {
        System.out.println(A.v + " " + B.w);
    }
}
