class Sudoku {
    static int[] grid = new int[16];

    static boolean ok(int at, int v) {
        int r = at / 4, c = at % 4;
        for (int i = 0; i < 4; i++) {
            if (grid[r * 4 + i] == v || grid[i * 4 + c] == v) return false;
            if (grid[(r / 2 * 2 + i / 2) * 4 + c / 2 * 2 + i % 2] == v) return false;
        }
        return true;
    }

    static int solve(int at) {
        while (at < 16 && grid[at] != 0) at++;
        if (at == 16) {
            StringBuilder b = new StringBuilder();
            for (int v : grid) b.append(v);
            System.out.println(b);
            return 1;
        }
        int n = 0;
        for (int v = 1; v <= 4; v++) {
            if (ok(at, v)) {
                grid[at] = v;
                n += solve(at + 1);
                grid[at] = 0;
            }
        }
        return n;
    }

    public static void main(String[] args) {
        String start = "1...2......4...3";
        for (int i = 0; i < 16; i++) grid[i] = start.charAt(i) == '.' ? 0 : start.charAt(i) - '0';
        System.out.println(solve(0));
    }
}
