import java.util.concurrent.atomic.AtomicReference;

/*
 * A lock-free stack whose nodes are always new: compare-and-set on the top is enough.
 *
 * Expected: holds
 */
class LockFreeStack {
    static class Node {
        final int value;
        final Node below;

        Node(int value, Node below) {
            this.value = value;
            this.below = below;
        }
    }

    private final AtomicReference<Node> top = new AtomicReference<>();

    void push(int value) {
        Node old;
        do {
            old = top.get();
        } while (!top.compareAndSet(old, new Node(value, old)));
    }

    /** The value on top, or 0. */
    int pop() {
        Node old;
        do {
            old = top.get();
            if (old == null) {
                return 0;
            }
        } while (!top.compareAndSet(old, old.below));
        return old.value;
    }

    static volatile int taken;

    public static void main(String[] args) throws InterruptedException {
        LockFreeStack stack = new LockFreeStack();
        Thread other = new Thread(() -> {
            stack.push(1);
            taken = stack.pop();
        });
        other.start();
        stack.push(10);
        int mine = stack.pop();
        other.join();
        int rest = stack.pop();
        assert mine + taken + rest == 11 : mine + " " + taken + " " + rest;
    }
}
