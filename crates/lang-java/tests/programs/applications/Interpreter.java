import java.util.HashMap;
import java.util.Map;

class Interpreter {
    private final String[] lines;
    private final Map<String, Integer> vars = new HashMap<>();
    private int steps;

    Interpreter(String program) {
        lines = program.strip().split("\n");
    }

    private int value(String s) {
        if (Character.isLetter(s.charAt(0))) {
            Integer v = vars.get(s);
            if (v == null) throw new IllegalStateException("undefined " + s);
            return v;
        }
        return Integer.parseInt(s);
    }

    void run() {
        for (int pc = 0; pc < lines.length; pc++) {
            if (++steps > 200) throw new IllegalStateException("too many steps");
            String[] w = lines[pc].strip().split(" ");
            switch (w[0]) {
                case "let" -> vars.put(w[1], value(w[2]));
                case "add" -> vars.merge(w[1], value(w[2]), Integer::sum);
                case "mul" -> vars.computeIfPresent(w[1], (k, v) -> v * value(w[2]));
                case "jnz" -> {
                    if (value(w[1]) != 0) pc += value(w[2]) - 1;
                }
                case "out" -> System.out.println(w[1] + " = " + value(w[1]));
                default -> throw new IllegalArgumentException("line " + (pc + 1) + ": " + w[0]);
            }
        }
    }

    public static void main(String[] args) {
        for (String p : new String[] {"let n 5\nlet f 1\nmul f n\nadd n -1\njnz n -2\nout f", "out x", "let a 1\njnz a 0", "what"}) {
            try {
                new Interpreter(p).run();
            } catch (IllegalStateException | IllegalArgumentException e) {
                System.out.println(e.getClass().getSimpleName() + ": " + e.getMessage());
            }
        }
    }
}
