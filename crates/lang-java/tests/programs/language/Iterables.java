import java.util.Iterator;
import java.util.NoSuchElementException;

class Iterables implements Iterable<Integer> {
    final int from;
    final int to;

    Iterables(int from, int to) {
        this.from = from;
        this.to = to;
    }

    @Override
    public Iterator<Integer> iterator() {
        return new Iterator<>() {
            int at = from;

            public boolean hasNext() {
                return at < to;
            }

            public Integer next() {
                if (!hasNext()) throw new NoSuchElementException("after " + at);
                return at++;
            }
        };
    }

    public static void main(String[] args) {
        for (int i : new Iterables(1, 4)) System.out.print(i + " ");
        System.out.println();
        new Iterables(5, 7).forEach(i -> System.out.print(i * i + " "));
        System.out.println();
        Iterator<Integer> it = new Iterables(0, 1).iterator();
        it.next();
        try {
            it.next();
        } catch (NoSuchElementException e) {
            System.out.println(e.getMessage());
        }
        try {
            it.remove();
        } catch (UnsupportedOperationException e) {
            System.out.println(e.getMessage());
        }
        int sum = 0;
        for (char c : "abc".toCharArray()) sum += c;
        System.out.println(sum);
    }
}
