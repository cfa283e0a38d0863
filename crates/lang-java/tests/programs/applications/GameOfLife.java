class GameOfLife {
    boolean[][] cells;

    GameOfLife(String... rows) {
        cells = new boolean[rows.length][rows[0].length()];
        for (int r = 0; r < rows.length; r++)
            for (int c = 0; c < rows[r].length(); c++) cells[r][c] = rows[r].charAt(c) == '#';
    }

    void step() {
        int h = cells.length, w = cells[0].length;
        boolean[][] next = new boolean[h][w];
        for (int r = 0; r < h; r++) {
            for (int c = 0; c < w; c++) {
                int n = 0;
                for (int i = -1; i <= 1; i++)
                    for (int j = -1; j <= 1; j++)
                        if ((i | j) != 0 && cells[(r + i + h) % h][(c + j + w) % w]) n++;
                next[r][c] = n == 3 || n == 2 && cells[r][c];
            }
        }
        cells = next;
    }

    @Override
    public String toString() {
        StringBuilder b = new StringBuilder();
        for (boolean[] row : cells) {
            for (boolean cell : row) b.append(cell ? '#' : '.');
            b.append('\n');
        }
        return b.toString();
    }

    public static void main(String[] args) {
        GameOfLife g = new GameOfLife(".#....", "..#...", "###...", "......", "......");
        for (int i = 0; i < 4; i++) {
            System.out.println(g);
            g.step();
        }
    }
}
