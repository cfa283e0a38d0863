class WordWrap {
    static String wrap(String text, int width) {
        StringBuilder out = new StringBuilder(), line = new StringBuilder();
        for (String w : text.split("\\s+")) {
            if (line.length() > 0 && line.length() + 1 + w.length() > width) {
                out.append(line).append('\n');
                line.setLength(0);
            }
            if (line.length() > 0) line.append(' ');
            line.append(w);
        }
        return out.append(line).toString();
    }

    static String justify(String line, int width) {
        String[] ws = line.split(" ");
        if (ws.length == 1) return line;
        int spaces = width;
        for (String w : ws) spaces -= w.length();
        StringBuilder b = new StringBuilder();
        for (int i = 0; i < ws.length; i++) {
            b.append(ws[i]);
            if (i < ws.length - 1) {
                int n = spaces / (ws.length - 1) + (i < spaces % (ws.length - 1) ? 1 : 0);
                b.append(" ".repeat(n));
            }
        }
        return b.toString();
    }

    public static void main(String[] args) {
        String t = wrap("a line of words that should be broken into several lines of equal width", 18);
        t.lines().forEach(l -> System.out.println("|" + justify(l, 18) + "|"));
    }
}
