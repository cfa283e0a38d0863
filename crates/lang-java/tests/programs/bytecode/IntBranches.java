class IntBranches {
    static String all(int a, int b) {
        String s = "";
        if (a == b) s += "=";
        if (a != b) s += "!";
        if (a < b) s += "<";
        if (a >= b) s += "G";
        if (a > b) s += ">";
        if (a <= b) s += "L";
        return s;
    }

    static String zero(int a) {
        String s = "";
        if (a == 0) s += "=";
        if (a != 0) s += "!";
        if (a < 0) s += "<";
        if (a >= 0) s += "G";
        if (a > 0) s += ">";
        if (a <= 0) s += "L";
        return s;
    }

    public static void main(String[] args) {
        int[] xs = {0, 1, -1, Integer.MAX_VALUE, Integer.MIN_VALUE};
        for (int a : xs) {
            System.out.println(a + " " + zero(a));
            for (int b : xs) {
                System.out.println(a + " " + b + " " + all(a, b));
            }
        }
    }
}
