import java.util.ArrayDeque;
import java.util.Deque;

class Hanoi {
    static int moves;

    static void move(int n, Deque<Integer> from, Deque<Integer> to, Deque<Integer> via) {
        if (n == 0) return;
        move(n - 1, from, via, to);
        int d = from.pop();
        assert to.isEmpty() || to.peek() > d;
        to.push(d);
        moves++;
        move(n - 1, via, to, from);
    }

    public static void main(String[] args) {
        Deque<Integer> a = new ArrayDeque<>(), b = new ArrayDeque<>(), c = new ArrayDeque<>();
        for (int i = 8; i > 0; i--) a.push(i);
        move(8, a, c, b);
        System.out.println(moves + " " + a + b + c);
    }
}
