/** Makes objects for ever and keeps them all. */
class KeptForEver {
    static final class Node {
        final Node before;

        Node(Node before) {
            this.before = before;
        }
    }

    static volatile Node last;

    public static void main(String[] args) {
        new Thread(() -> {
            while (true) {
                if (last == null) {
                    Thread.yield();
                }
            }
        }).start();
        while (true) {
            last = new Node(last);
        }
    }
}
