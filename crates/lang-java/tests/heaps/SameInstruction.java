/** Two threads make objects by the same instruction and keep them. */
class SameInstruction {
    static class Node {
        final int number;

        Node(int number) {
            this.number = number;
        }
    }

    static Node one;
    static Node two;

    static Node make(int number) {
        return new Node(number);
    }

    public static void main(String[] args) throws InterruptedException {
        Thread first = new Thread(() -> one = make(1));
        Thread second = new Thread(() -> two = make(2));
        first.start();
        second.start();
        first.join();
        second.join();
        assert one.number < two.number;
    }
}
