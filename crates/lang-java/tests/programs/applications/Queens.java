class Queens {
    static int solve(int n, int row, int cols, int d1, int d2) {
        if (row == n) return 1;
        int count = 0;
        for (int free = ~(cols | d1 | d2) & (1 << n) - 1; free != 0; free &= free - 1) {
            int bit = free & -free;
            count += solve(n, row + 1, cols | bit, (d1 | bit) << 1, (d2 | bit) >> 1);
        }
        return count;
    }

    public static void main(String[] args) {
        for (int n = 1; n <= 7; n++) System.out.println(n + " " + solve(n, 0, 0, 0, 0));
    }
}
