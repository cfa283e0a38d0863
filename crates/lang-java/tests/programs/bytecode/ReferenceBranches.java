class ReferenceBranches {
    static String test(Object a, Object b) {
        String s = "";
        if (a == null) s += "n";
        if (b != null) s += "m";
        if (a == b) s += "=";
        if (a != b) s += "!";
        return s;
    }

    public static void main(String[] args) {
        Object x = new Object();
        System.out.println(test(null, null) + " " + test(x, null) + " " + test(null, x) + " " + test(x, x) + " " + test(x, "x"));
        String a = "lit";
        String b = "l" + "it";
        String c = new String(a);
        System.out.println((a == b) + " " + (a == c) + " " + (a == c.intern()) + " " + a.equals(c));
        Long p = 127L, q = 127L, r = 128L, t = 128L;
        System.out.println((p == q) + " " + (r == t) + " " + r.equals(t) + " " + r.equals(128));
        Character u = 'a', w = 'a';
        Boolean yes = true;
        System.out.println((u == w) + " " + (yes == Boolean.TRUE));
    }
}
