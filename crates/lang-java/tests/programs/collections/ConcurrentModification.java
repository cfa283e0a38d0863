import java.util.ArrayList;
import java.util.ConcurrentModificationException;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

class ConcurrentModification {
    static void attempt(String name, Runnable r) {
        try {
            r.run();
            System.out.println(name + " fine");
        } catch (ConcurrentModificationException e) {
            System.out.println(name + " " + e.getMessage());
        }
    }

    static void map(Map<Integer, Integer> m) {
        for (int i = 0; i < 5; i++) m.put(i, i);
        attempt("map", () -> {
            for (int k : m.keySet()) m.remove(k);
        });
        attempt("iterator", () -> {
            for (Iterator<Integer> i = m.keySet().iterator(); i.hasNext();) {
                if (i.next() % 2 == 0) i.remove();
            }
        });
        System.out.println(m);
    }

    public static void main(String[] args) {
        List<Integer> l = new ArrayList<>(List.of(1, 2, 3, 4));
        attempt("list", () -> l.forEach(x -> l.add(9)));
        attempt("sort", () -> l.sort((a, b) -> {
            l.add(0);
            return a - b;
        }));
        attempt("sublist", () -> {
            List<Integer> s = l.subList(0, 1);
            l.add(5);
            System.out.println(s.size());
        });
        map(new HashMap<>());
        map(new TreeMap<>());
        attempt("compute", () -> {
            Map<String, Integer> m = new HashMap<>();
            m.computeIfAbsent("a", k -> {
                m.put("b", 1);
                return 2;
            });
        });
    }
}
