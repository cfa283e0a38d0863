class Interning {
    static final String A = "inter";
    static final String B = A + "ned";

    static class Other {
        static String text() {
            return "interned";
        }
    }

    public static void main(String[] args) {
        String lit = "interned";
        String part = "ned";
        System.out.println((lit == B) + " " + (lit == A + part) + " " + (lit == (A + part).intern()) + " " + (lit == Other.text()));
        System.out.println(lit == new String(lit) | lit.equals(new String(lit)));
        System.out.println(new StringBuilder("inter").append("ned").toString().intern() == lit);
        System.out.println("interned".substring(0) == lit);
        System.out.println(String.valueOf(lit) == lit);
        System.out.println(lit.toLowerCase() == lit);
        System.out.println(lit.replace('x', 'y') == lit);
        System.out.println(lit.concat("") == lit);
        System.out.println(lit.trim() == lit);
    }
}
