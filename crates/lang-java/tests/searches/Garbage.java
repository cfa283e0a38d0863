// ends: 20000 199990000
/** Garbage of a long stretch goes, and what is reached stays. */
class Garbage {
    static class Node {
        final int value;
        final Node next;
        final int[] ballast = new int[500];

        Node(int value, Node next) {
            this.value = value;
            this.next = next;
        }
    }

    public static void main(String[] args) {
        Node list = null;
        for (int i = 0; i < 20_000; i++) {
            list = new Node(i, i % 100 == 0 ? null : list);
            last = list;
            sum += list.value;
        }
        System.out.println(last.value + 1 + " " + sum);
    }

    static Node last;
    static long sum;
}
