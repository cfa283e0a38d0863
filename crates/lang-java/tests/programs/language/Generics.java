import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.function.Function;

class Generics {
    static abstract class Node<T extends Comparable<T>> implements Comparable<Node<T>> {
        T value;

        abstract Node<T> make(T v);

        public int compareTo(Node<T> o) {
            return value.compareTo(o.value);
        }
    }

    static class IntNode extends Node<Integer> {
        @Override
        IntNode make(Integer v) {
            IntNode n = new IntNode();
            n.value = v;
            return n;
        }
    }

    static <T extends Comparable<? super T>> T max(List<? extends T> list) {
        T best = null;
        for (T t : list) {
            if (best == null || t.compareTo(best) > 0) best = t;
        }
        return best;
    }

    static <A, B> List<B> map(List<A> in, Function<? super A, ? extends B> f) {
        List<B> out = new ArrayList<>();
        for (A a : in) out.add(f.apply(a));
        return out;
    }

    @SafeVarargs
    static <T> int count(T... ts) {
        return ts.length;
    }

    @SuppressWarnings({"unchecked", "rawtypes"})
    public static void main(String[] args) {
        Node<Integer> n = new IntNode();
        System.out.println(n.make(5).compareTo(n.make(7)));
        System.out.println(max(List.of(3, 9, 4)) + max(List.of("a", "c", "b")));
        System.out.println(map(List.of("one", "three"), String::length));
        System.out.println(count() + count(1, "b", 2.0) + count(new Integer[] {1, 2}));
        List raw = new ArrayList<String>();
        raw.add(1);
        List<String> strings = raw;
        try {
            String s = strings.get(0);
            System.out.println(s);
        } catch (ClassCastException e) {
            System.out.println("heap pollution found");
        }
        Comparable c = n.make(1);
        try {
            c.compareTo("x");
        } catch (ClassCastException e) {
            System.out.println("bridge checked");
        }
        System.out.println(Comparator.<Integer>naturalOrder().reversed().compare(1, 2));
    }
}
