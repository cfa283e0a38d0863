class Shadowing {
    static int x = 1;
    int y = 2;

    static class A {
        int v = 10;
        static String s() { return "A.s"; }
        int get() { return v; }
    }

    static class B extends A {
        int v = 20;
        static String s() { return "B.s"; }
        int both() { return v + super.v + ((A) this).v; }
    }

    void m(int y) {
        int x = 5;
        this.y += y + x + Shadowing.x;
        {
            int z = this.y;
            System.out.println(z);
        }
        for (int z = 0; z < 1; z++) System.out.println(z + y);
    }

    @SuppressWarnings("static-access")
    public static void main(String[] args) {
        new Shadowing().m(3);
        A a = new B();
        System.out.println(a.v + " " + ((B) a).v + " " + a.get() + " " + ((B) a).both() + " " + a.s() + B.s());
        Shadowing none = null;
        System.out.println(none.x);
    }
}
