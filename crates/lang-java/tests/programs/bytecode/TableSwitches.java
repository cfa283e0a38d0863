class TableSwitches {
    static String dense(int n) {
        switch (n) {
            case -2: return "minus two";
            case -1: return "minus one";
            case 0: return "zero";
            case 1:
            case 2: return "few";
            case 4: return "four";
            default: return "other";
        }
    }

    static int through(int n) {
        int sum = 0;
        switch (n) {
            case 0: sum += 1;
            case 1: sum += 10;
            case 2: sum += 100; break;
            case 3: sum += 1000;
        }
        return sum;
    }

    public static void main(String[] args) {
        for (int n = -4; n < 7; n++) {
            System.out.println(n + " " + dense(n) + " " + through(n));
        }
        System.out.println(dense(Integer.MAX_VALUE) + dense(Integer.MIN_VALUE));
    }
}
