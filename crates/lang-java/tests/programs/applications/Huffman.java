import java.util.HashMap;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.TreeMap;

class Huffman {
    static abstract class Node implements Comparable<Node> {
        final int weight;
        final char least;

        Node(int weight, char least) {
            this.weight = weight;
            this.least = least;
        }

        abstract void codes(String prefix, Map<Character, String> out);

        @Override
        public int compareTo(Node o) {
            return weight != o.weight ? Integer.compare(weight, o.weight) : Character.compare(least, o.least);
        }
    }

    static class Leaf extends Node {
        Leaf(char c, int w) {
            super(w, c);
        }

        void codes(String p, Map<Character, String> out) {
            out.put(least, p);
        }
    }

    static class Fork extends Node {
        final Node l, r;

        Fork(Node l, Node r) {
            super(l.weight + r.weight, (char) Math.min(l.least, r.least));
            this.l = l;
            this.r = r;
        }

        void codes(String p, Map<Character, String> out) {
            l.codes(p + "0", out);
            r.codes(p + "1", out);
        }
    }

    public static void main(String[] args) {
        String text = "abracadabra alakazam";
        Map<Character, Integer> freq = new HashMap<>();
        for (char c : text.toCharArray()) freq.merge(c, 1, Integer::sum);
        PriorityQueue<Node> q = new PriorityQueue<>();
        freq.forEach((c, w) -> q.add(new Leaf(c, w)));
        while (q.size() > 1) q.add(new Fork(q.poll(), q.poll()));
        Map<Character, String> codes = new TreeMap<>();
        q.poll().codes("", codes);
        System.out.println(codes);
        StringBuilder b = new StringBuilder();
        for (char c : text.toCharArray()) b.append(codes.get(c));
        System.out.println(b + " " + b.length());
    }
}
