class LongBranches {
    static String all(long a, long b) {
        StringBuilder s = new StringBuilder();
        s.append(a == b ? '=' : '!');
        s.append(a < b ? '<' : 'G');
        s.append(a > b ? '>' : 'L');
        s.append(a != b ? 'n' : 'y');
        s.append(a <= b ? 'l' : 'g');
        return s.toString();
    }

    public static void main(String[] args) {
        long[] xs = {0, 1, -1, 1L << 32, (1L << 32) + 1, Long.MAX_VALUE, Long.MIN_VALUE};
        for (long a : xs) {
            for (long b : xs) {
                System.out.println(a + " " + b + " " + all(a, b) + " " + Long.compare(a, b));
            }
        }
    }
}
