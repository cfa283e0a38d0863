class Concatenation {
    static int calls;

    static Object next() {
        return "call" + ++calls;
    }

    static class Bad {
        @Override
        public String toString() {
            throw new IllegalStateException("toString");
        }
    }

    public static void main(String[] args) {
        byte b = -1;
        short s = -2;
        char c = '\u00e9';
        Character boxed = 'b';
        float f = 1e10f;
        double d = 1e-5;
        Object none = null;
        String nothing = null;
        System.out.println("" + b + s + c + boxed + f + d + none + nothing + true + 'x' + 1 + 2L);
        System.out.println(1 + 2 + "a" + 1 + 2 + 'c' + (char) ('c' + 1) + ('c' + 1));
        System.out.println("\u0001" + c + "\u0002" + s);
        System.out.println(next() + "-" + next() + "-" + next());
        char[] chars = {'a', 'b'};
        System.out.println(String.valueOf(chars) + chars.length);
        String t = "x";
        t += t + (t += "y") + t;
        System.out.println(t);
        String wide = "\u4e2d" + 1 + 'a' + "\u00ff";
        System.out.println(wide + wide.length());
        try {
            System.out.println("never " + new Bad() + next());
        } catch (IllegalStateException e) {
            System.out.println(e.getMessage() + " " + calls);
        }
        String empty = "" + "";
        System.out.println(empty.isEmpty() + " " + ("" + none).length());
        int i = 5;
        System.out.println(i++ + "" + i++ + i);
        System.out.println(-0f + " " + 0x1p-1074 + " " + 100f + " " + 1e7 + " " + 12345678f + " " + (0.1f + 0.2f) + " " + (0.1 + 0.2));
        System.out.println(a200());
    }

    static int a200() {
        String s = "";
        int n = 1;
        s = "" + n + n + n + n + n + n + n + n + n + n + n + n + n + n + n + n + n + n + n + n + n + n + n + n + n
            + n + n + n + n + n + n + n + n + n + n + n + n + n + n + n + n + n + n + n + n + n + n + n + n + n
            + n + n + n + n + n + n + n + n + n + n + n + n + n + n + n + n + n + n + n + n + n + n + n + n + n
            + n + n + n + n + n + n + n + n + n + n + n + n + n + n + n + n + n + n + n + n + n + n + n + n + n
            + n + n + n + n + n + n + n + n + n + n + n + n + n + n + n + n + n + n + n + n + n + n + n + n + n
            + n + n + n + n + n + n + n + n + n + n + n + n + n + n + n + n + n + n + n + n + n + n + n + n + n
            + n + n + n + n + n + n + n + n + n + n + n + n + n + n + n + n + n + n + n + n + n + n + n + n + n
            + n + n + n + n + n + n + n + n + n + n + n + n + n + n + n + n + n + n + n + n + n + n + n + n + n
            + n + n + n + n + n;
        return s.length();
    }
}
