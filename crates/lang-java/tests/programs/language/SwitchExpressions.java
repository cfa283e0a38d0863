class SwitchExpressions {
    enum Colour { RED, GREEN, BLUE }

    static int code(Colour c) {
        return switch (c) {
            case RED -> 1;
            case GREEN -> {
                int n = c.ordinal();
                yield n * 10;
            }
            case BLUE -> 3;
        };
    }

    static String size(int n) {
        return switch (n) {
            case 0 -> "none";
            case 1, 2, 3 -> "few";
            default -> {
                if (n < 0) yield "negative";
                yield "many";
            }
        };
    }

    static String old(String s) {
        return switch (s) {
            case "a", "b":
                yield "early";
            case "z":
                yield "late";
            default:
                yield s.isEmpty() ? "empty" : "middle";
        };
    }

    public static void main(String[] args) {
        for (Colour c : Colour.values()) {
            System.out.println(c + " " + code(c));
        }
        for (int n : new int[] {-1, 0, 2, 9}) {
            System.out.println(size(n));
        }
        System.out.println(old("a") + old("z") + old("") + old("m"));
        switch (args.length) {
            case 0 -> System.out.println("no arguments");
            default -> System.out.println("arguments");
        }
    }
}
