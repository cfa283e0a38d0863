import java.util.Formattable;
import java.util.Formatter;
import java.util.List;
import java.util.Locale;

class FormatStrings {
    static class Own implements Formattable {
        @Override
        public void formatTo(Formatter f, int flags, int width, int precision) {
            f.format("own(%d,%d,%d)", flags, width, precision);
        }
    }

    public static void main(String[] args) {
        System.out.println(String.format("%s|%10s|%-10s|%.2s|%10.1s|%S", "abc", "abc", "abc", "abc", "abc", "abc"));
        System.out.println(String.format("%s %s %s", null, List.of(1, 2), new Own()));
        System.out.println(String.format("%-7.3s|", new Own()));
        System.out.println("%s-%s".formatted("a", 1));
        System.out.println(String.format(Locale.ROOT, "%,.2f", 12345.678) + String.format(Locale.UK, " %d", 5));
        StringBuilder b = new StringBuilder();
        try (Formatter f = new Formatter(b)) {
            f.format("%d", 1).format("%s", "x");
        }
        System.out.println(b);
        System.out.printf("%s %d%n", "printf", 3);
        System.out.format("%5.1f|%n", 2.25);
        System.out.println(String.format("no specifiers") + String.format(""));
    }
}
