import java.util.concurrent.atomic.AtomicReference;

/*
 * A linked lock-free queue: a node is appended with one compare-and-set, and whoever finds the tail behind moves it on.
 *
 * Expected: holds
 */
class LockFreeQueue {
    static class Node {
        final int value;
        final AtomicReference<Node> next = new AtomicReference<>();

        Node(int value) {
            this.value = value;
        }
    }

    private final AtomicReference<Node> head;
    private final AtomicReference<Node> tail;

    LockFreeQueue() {
        Node dummy = new Node(0);
        head = new AtomicReference<>(dummy);
        tail = new AtomicReference<>(dummy);
    }

    void add(int value) {
        Node node = new Node(value);
        while (true) {
            Node last = tail.get();
            Node next = last.next.get();
            if (next != null) {
                tail.compareAndSet(last, next);
            } else if (last.next.compareAndSet(null, node)) {
                tail.compareAndSet(last, node);
                return;
            }
        }
    }

    /** The oldest value, or 0. */
    int poll() {
        while (true) {
            Node first = head.get();
            Node last = tail.get();
            Node next = first.next.get();
            if (next == null) {
                return 0;
            }
            if (first == last) {
                tail.compareAndSet(last, next);
            } else if (head.compareAndSet(first, next)) {
                return next.value;
            }
        }
    }

    static volatile int taken;

    public static void main(String[] args) throws InterruptedException {
        LockFreeQueue queue = new LockFreeQueue();
        queue.add(1);
        Thread other = new Thread(() -> taken = queue.poll());
        other.start();
        queue.add(10);
        int mine = queue.poll();
        other.join();
        assert mine + taken == 11 : mine + " and " + taken;
    }
}
