import java.util.AbstractList;
import java.util.AbstractMap;
import java.util.AbstractSet;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.RandomAccess;
import java.util.Set;

class OwnList extends AbstractList<Integer> implements RandomAccess {
    final int n;

    OwnList(int n) {
        this.n = n;
    }

    @Override
    public Integer get(int i) {
        if (i < 0 || i >= n) throw new IndexOutOfBoundsException("own " + i);
        return i * i;
    }

    @Override
    public int size() {
        return n;
    }

    static class Squares extends AbstractMap<Integer, Integer> {
        @Override
        public Set<Entry<Integer, Integer>> entrySet() {
            return new AbstractSet<>() {
                @Override
                public Iterator<Entry<Integer, Integer>> iterator() {
                    return List.of(Map.entry(2, 4), Map.entry(3, 9)).iterator();
                }

                @Override
                public int size() {
                    return 2;
                }
            };
        }
    }

    public static void main(String[] args) {
        List<Integer> l = new OwnList(6);
        System.out.println(l + " " + l.contains(16) + l.indexOf(25) + l.subList(2, 4) + l.hashCode() + l.equals(List.of(0, 1, 4, 9, 16, 25)));
        try {
            l.add(1);
        } catch (UnsupportedOperationException e) {
            System.out.println(e);
        }
        try {
            l.get(9);
        } catch (IndexOutOfBoundsException e) {
            System.out.println(e.getMessage());
        }
        System.out.println(l.stream().mapToInt(i -> i).sum() + " " + new Squares() + new Squares().get(3) + new Squares().containsKey(5) + new Squares().keySet());
    }
}
