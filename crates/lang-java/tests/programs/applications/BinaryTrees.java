import java.util.function.Consumer;

class BinaryTrees<T extends Comparable<T>> {
    private class Node {
        T value;
        Node left, right;

        Node(T value) {
            this.value = value;
        }
    }

    private Node root;
    private int size;

    boolean add(T v) {
        Node n = root, parent = null;
        int c = 0;
        while (n != null) {
            parent = n;
            c = v.compareTo(n.value);
            if (c == 0) return false;
            n = c < 0 ? n.left : n.right;
        }
        Node fresh = new Node(v);
        if (parent == null) root = fresh;
        else if (c < 0) parent.left = fresh;
        else parent.right = fresh;
        size++;
        return true;
    }

    private Node remove(Node n, T v) {
        if (n == null) return null;
        int c = v.compareTo(n.value);
        if (c < 0) n.left = remove(n.left, v);
        else if (c > 0) n.right = remove(n.right, v);
        else if (n.left == null) return n.right;
        else if (n.right == null) return n.left;
        else {
            Node m = n.right;
            while (m.left != null) m = m.left;
            n.value = m.value;
            n.right = remove(n.right, m.value);
        }
        return n;
    }

    private void walk(Node n, Consumer<? super T> f) {
        if (n == null) return;
        walk(n.left, f);
        f.accept(n.value);
        walk(n.right, f);
    }

    private int depth(Node n) {
        return n == null ? 0 : 1 + Math.max(depth(n.left), depth(n.right));
    }

    public static void main(String[] args) {
        BinaryTrees<Integer> t = new BinaryTrees<>();
        for (int i = 0; i < 40; i++) t.add(i * 17 % 41);
        StringBuilder b = new StringBuilder();
        t.walk(t.root, v -> b.append(v).append(' '));
        System.out.println(b + "| " + t.size + " " + t.depth(t.root));
        for (int i = 0; i < 41; i += 2) t.root = t.remove(t.root, i);
        b.setLength(0);
        t.walk(t.root, v -> b.append(v).append(' '));
        System.out.println(b + "| " + t.depth(t.root));
        BinaryTrees<String> s = new BinaryTrees<>();
        for (String w : "the quick brown fox jumps over the lazy dog".split(" ")) s.add(w);
        s.walk(s.root, w -> System.out.print(w + " "));
        System.out.println(s.size);
    }
}
