import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.IntBinaryOperator;

class StackMachine {
    static final Map<String, IntBinaryOperator> OPS = new TreeMap<>(Map.of("+", Integer::sum, "-", (a, b) -> a - b, "*", (a, b) -> a * b, "/", (a, b) -> a / b));

    static String run(String program) {
        Deque<Integer> stack = new ArrayDeque<>();
        try {
            for (String w : program.split("\\s+")) {
                IntBinaryOperator op = OPS.get(w);
                if (op != null) {
                    int b = stack.pop(), a = stack.pop();
                    stack.push(op.applyAsInt(a, b));
                } else if (w.equals("dup")) {
                    stack.push(stack.peek());
                } else if (w.equals("swap")) {
                    int b = stack.pop(), a = stack.pop();
                    stack.push(b);
                    stack.push(a);
                } else {
                    stack.push(Integer.valueOf(w));
                }
            }
            return stack.toString();
        } catch (RuntimeException e) {
            return e.toString() + " with " + stack;
        }
    }

    public static void main(String[] args) {
        for (String p : new String[] {"1 2 +", "3 dup * 4 dup * +", "1 2 swap -", "1 0 /", "+", "2 x", "2147483647 1 +"}) {
            System.out.println(p + " => " + run(p));
        }
    }
}
