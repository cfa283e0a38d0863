import java.util.ArrayDeque;
import java.util.Deque;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

class Tokeniser {
    static final Pattern TOKEN = Pattern.compile("\\s*(?:(?<num>\\d+)|(?<op>[-+*/()]))");

    static int precedence(char c) {
        return c == '+' || c == '-' ? 1 : c == '(' ? 0 : 2;
    }

    static void apply(Deque<Integer> values, char op) {
        int b = values.pop();
        int a = values.pop();
        values.push(switch (op) {
            case '+' -> a + b;
            case '-' -> a - b;
            case '*' -> a * b;
            default -> a / b;
        });
    }

    static int eval(String s) {
        Deque<Integer> values = new ArrayDeque<>();
        Deque<Character> ops = new ArrayDeque<>();
        Matcher m = TOKEN.matcher(s);
        while (m.lookingAt()) {
            if (m.group("num") != null) {
                values.push(Integer.parseInt(m.group("num")));
            } else {
                char c = m.group("op").charAt(0);
                if (c == '(') {
                    ops.push(c);
                } else if (c == ')') {
                    while (ops.peek() != '(') apply(values, ops.pop());
                    ops.pop();
                } else {
                    while (!ops.isEmpty() && precedence(ops.peek()) >= precedence(c)) apply(values, ops.pop());
                    ops.push(c);
                }
            }
            m.region(m.end(), s.length());
        }
        while (!ops.isEmpty()) apply(values, ops.pop());
        return values.pop();
    }

    public static void main(String[] args) {
        System.out.println(eval("1 + 2 * 3") + " " + eval("(1+2)*3 - 8/ 4") + " " + eval("2*(3+(4-1))*2"));
        try {
            System.out.println(eval("1 / 0"));
        } catch (ArithmeticException e) {
            System.out.println(e.getMessage());
        }
    }
}
