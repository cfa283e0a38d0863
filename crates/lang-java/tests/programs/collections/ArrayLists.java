import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.ListIterator;

class ArrayLists {
    public static void main(String[] args) {
        List<Integer> l = new ArrayList<>();
        for (int i = 0; i < 20; i++) l.add(i * i % 17);
        System.out.println(l + " " + l.size() + " " + l.indexOf(4) + " " + l.lastIndexOf(4) + " " + l.contains(99));
        l.add(3, -1);
        l.addAll(5, List.of(100, 200));
        l.set(0, null);
        l.removeIf(x -> x != null && x > 10 && x < 99);
        System.out.println(l + " " + l.indexOf(null));
        l.removeAll(Arrays.asList(null, 4));
        l.retainAll(List.of(-1, 1, 9, 100, 200, 0));
        System.out.println(l);
        l.sort(null);
        System.out.println(l + " " + l.hashCode() + " " + l.equals(new ArrayList<>(l)));
        List<Integer> sub = l.subList(1, 3);
        sub.set(0, 77);
        sub.add(88);
        System.out.println(l + " " + sub);
        l.replaceAll(x -> x + 1);
        ListIterator<Integer> it = l.listIterator(l.size());
        while (it.hasPrevious()) {
            int v = it.previous();
            if (v % 2 == 0) it.set(v / 2);
            if (v == 101) it.add(5);
        }
        System.out.println(l);
        Collections.reverse(l);
        Collections.swap(l, 0, 1);
        Collections.rotate(l, 2);
        System.out.println(l + " " + Collections.max(l) + Collections.min(l) + Collections.frequency(l, 1));
        System.out.println(Arrays.toString(l.toArray()) + Arrays.toString(l.toArray(new Integer[0])) + l.toArray(new Object[30])[29]);
        l.clear();
        System.out.println(l + " " + l.isEmpty());
    }
}
