import java.util.concurrent.atomic.AtomicInteger;

/*
 * A lock-free stack of array cells that are used again: the ABA problem.
 *
 * A thread reads the top A and what lies below it, B. Before its compare-and-set, the other thread pops A and B and
 * pushes A back. The compare-and-set still succeeds, and B, which is in use, is the top again.
 *
 * Expected: violated (assertion)
 * Races: int[]
 */
class AbaStack {
    static final int NONE = -1;
    static final int A = 0;
    static final int B = 1;

    final AtomicInteger top = new AtomicInteger(A);
    final int[] below = {B, NONE};
    final AtomicInteger[] owners = {new AtomicInteger(), new AtomicInteger()};

    int pop() {
        while (true) {
            int cell = top.get();
            if (cell == NONE) {
                return NONE;
            }
            int next = below[cell];
            if (top.compareAndSet(cell, next)) {
                int holders = owners[cell].incrementAndGet();
                assert holders == 1 : "cell " + cell + " was given out twice";
                return cell;
            }
        }
    }

    void push(int cell) {
        owners[cell].decrementAndGet();
        int old;
        do {
            old = top.get();
            below[cell] = old;
        } while (!top.compareAndSet(old, cell));
    }

    public static void main(String[] args) {
        AbaStack stack = new AbaStack();
        new Thread(() -> {
            stack.pop();
            stack.pop();
        }).start();
        int a = stack.pop();
        int b = stack.pop();
        if (a != NONE) {
            stack.push(a);
        }
    }
}
