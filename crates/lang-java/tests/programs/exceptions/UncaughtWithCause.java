import java.util.List;

class UncaughtWithCause {
    static void parse(String s) {
        try {
            Integer.parseInt(s);
        } catch (NumberFormatException e) {
            throw new IllegalArgumentException("bad: " + s, e);
        }
    }

    public static void main(String[] args) {
        for (String s : List.of("1", "2", "three")) {
            parse(s);
            System.out.println(s);
        }
    }
}
