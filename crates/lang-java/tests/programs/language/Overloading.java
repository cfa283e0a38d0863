class Overloading {
    static String m(byte b) { return "byte"; }

    static String m(short b) { return "short"; }

    static String m(int b) { return "int"; }

    static String m(long b) { return "long"; }

    static String m(float b) { return "float"; }

    static String m(double b) { return "double"; }

    static String m(char b) { return "char"; }

    static String m(Object b) { return "Object"; }

    static String m(Integer b) { return "Integer"; }

    static String m(String b) { return "String"; }

    static class A {
        String who(A a) { return "A.A"; }
    }

    static class B extends A {
        String who(A a) { return "B.A"; }

        String who(B b) { return "B.B"; }
    }

    public static void main(String[] args) {
        byte b = 1;
        short s = 1;
        System.out.println(m(b) + m(s) + m(1) + m(1L) + m(1f) + m(1.0) + m('c') + m("s") + m(b + s) + m('a' + 1));
        System.out.println(m((Object) "s") + m(Integer.valueOf(1)) + m(Long.valueOf(1)) + m((char) 1) + m(b += 1));
        A a = new B();
        B bb = new B();
        System.out.println(a.who(bb) + bb.who(bb) + bb.who(a));
    }
}
