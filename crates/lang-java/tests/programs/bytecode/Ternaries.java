class Ternaries {
    static int calls;

    static boolean call(boolean b) {
        calls++;
        return b;
    }

    public static void main(String[] args) {
        boolean t = args.length == 0;
        System.out.println(call(t) && call(!t) || call(t) && !call(!t));
        System.out.println(calls);
        calls = 0;
        System.out.println(call(t) | call(t) & call(!t));
        System.out.println(calls);
        int i = 3;
        long l = t ? i : 4L;
        Object o = t ? 1 : "s";
        Object p = t ? 1 : 2.5;
        char c = t ? 'x' : 0;
        System.out.println(l + " " + o + " " + p + " " + c + " " + (t ? 'a' : i) + " " + (t ? 'a' : 0));
        Integer none = null;
        try {
            int v = t ? none : 0;
            System.out.println(v);
        } catch (NullPointerException e) {
            System.out.println("unboxed null");
        }
        System.out.println(i > 2 ? i > 5 ? "big" : "middle" : "small");
    }
}
