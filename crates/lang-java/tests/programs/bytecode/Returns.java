class Returns {
    static boolean z() { return true; }

    static byte b() { return (byte) 0x1ff; }

    static char c() { return (char) 65601; }

    static short s() { return (short) 70000; }

    static int i() { return 5; }

    static long l() { return 1L << 50; }

    static float f() { return 0.1f; }

    static double d() { return 0.1; }

    static Object o() { return new int[] {7}; }

    static void v() { }

    public static void main(String[] args) {
        v();
        l();
        d();
        i();
        System.out.println(z() + " " + b() + " " + c() + " " + s() + " " + i() + " " + l() + " " + f() + " " + d());
        System.out.println(((int[]) o())[0]);
    }
}
