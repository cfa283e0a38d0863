class IntArithmetic {
    static int max = Integer.MAX_VALUE;
    static int min = Integer.MIN_VALUE;

    public static void main(String[] args) {
        int[] xs = {0, 1, -1, 7, -7, 46341, max, min, min + 1};
        for (int x : xs) {
            for (int y : xs) {
                System.out.print((x + y) + " " + (x - y) + " " + (x * y));
                if (y != 0) {
                    System.out.print(" " + (x / y) + " " + (x % y));
                }
                System.out.println();
            }
            System.out.println(-x + " " + ~x + " " + +x);
        }
    }
}
