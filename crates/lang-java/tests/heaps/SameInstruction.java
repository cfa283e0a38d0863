/** Two threads make objects by the same instruction and keep them. */
class SameInstruction {
    static class Node {
        final int number;

        Node(int number) {
            this.number = number;
        }
    }

    static volatile int first = 1;
    static Node one;
    static Node two;

    static Node make(int number) {
        // Others may be faster here.
        int sum = first + number;
        return new Node(sum);
    }

    public static void main(String[] args) throws InterruptedException {
        Thread left = new Thread(() -> one = make(0));
        Thread right = new Thread(() -> two = make(1));
        left.start();
        right.start();
        left.join();
        right.join();
        assert one.number < two.number;
    }
}
