class LinkedStructure {
    static class Node {
        int v;
        Node next;

        Node(int v, Node next) {
            this.v = v;
            this.next = next;
        }
    }

    static Node build(int... vs) {
        Node head = null;
        for (int i = vs.length - 1; i >= 0; i--) head = new Node(vs[i], head);
        return head;
    }

    static Node reverse(Node n) {
        Node prev = null;
        while (n != null) {
            Node next = n.next;
            n.next = prev;
            prev = n;
            n = next;
        }
        return prev;
    }

    static boolean cyclic(Node n) {
        Node slow = n, fast = n;
        while (fast != null && fast.next != null) {
            slow = slow.next;
            fast = fast.next.next;
            if (slow == fast) return true;
        }
        return false;
    }

    static String show(Node n) {
        return n == null ? "." : n.v + ">" + show(n.next);
    }

    static Node merge(Node a, Node b) {
        if (a == null) return b;
        if (b == null) return a;
        if (a.v <= b.v) {
            a.next = merge(a.next, b);
            return a;
        }
        b.next = merge(a, b.next);
        return b;
    }

    public static void main(String[] args) {
        Node l = reverse(build(1, 2, 3, 4));
        System.out.println(show(l) + " " + cyclic(l));
        l.next.next.next.next = l.next;
        System.out.println(cyclic(l));
        System.out.println(show(merge(build(1, 4, 9), build(2, 3, 10, 11))));
        try {
            System.out.println(build().v);
        } catch (NullPointerException e) {
            System.out.println(e.getMessage());
        }
    }
}
