import java.util.Comparator;
import java.util.NavigableMap;
import java.util.TreeMap;
import java.util.TreeSet;

class TreeMaps {
    public static void main(String[] args) {
        TreeMap<Integer, String> m = new TreeMap<>();
        for (int i = 0; i < 30; i++) m.put(i * 37 % 101, "v" + i);
        System.out.println(m);
        System.out.println(m.firstKey() + " " + m.lastEntry() + " " + m.floorKey(50) + " " + m.ceilingKey(50) + " " + m.lowerKey(37) + " " + m.higherEntry(37));
        System.out.println(m.headMap(20) + " " + m.tailMap(90, false) + " " + m.subMap(30, true, 50, true));
        NavigableMap<Integer, String> d = m.descendingMap();
        System.out.println(d.firstKey() + " " + d.headMap(95));
        m.headMap(60).clear();
        System.out.println(m.pollFirstEntry() + " " + m.size() + " " + m.navigableKeySet().first());
        for (int i = 0; i < 101; i += 3) m.remove(i);
        System.out.println(m);
        TreeSet<String> s = new TreeSet<>(Comparator.comparing(String::length).thenComparing(Comparator.naturalOrder()));
        for (String w : "pear fig apple kiwi date banana".split(" ")) s.add(w);
        System.out.println(s + " " + s.first() + s.ceiling("zzzz") + s.descendingSet() + s.subSet("fig", "pear") + s.pollLast());
        try {
            m.subMap(9, 5);
        } catch (IllegalArgumentException e) {
            System.out.println(e.getMessage());
        }
    }
}
