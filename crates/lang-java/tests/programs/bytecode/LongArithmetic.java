class LongArithmetic {
    public static void main(String[] args) {
        long[] xs = {0, 1, -1, 9, -9, 3037000500L, Long.MAX_VALUE, Long.MIN_VALUE};
        for (long x : xs) {
            for (long y : xs) {
                System.out.print((x + y) + " " + (x - y) + " " + (x * y));
                if (y != 0) {
                    System.out.print(" " + (x / y) + " " + (x % y));
                }
                System.out.println();
            }
            System.out.println(-x + " " + ~x);
        }
    }
}
