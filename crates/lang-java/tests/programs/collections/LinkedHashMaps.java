import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;

class LinkedHashMaps {
    static class Lru<K, V> extends LinkedHashMap<K, V> {
        final int max;

        Lru(int max) {
            super(16, 0.75f, true);
            this.max = max;
        }

        @Override
        protected boolean removeEldestEntry(Map.Entry<K, V> e) {
            return size() > max;
        }
    }

    public static void main(String[] args) {
        Map<String, Integer> m = new LinkedHashMap<>();
        m.put("z", 1);
        m.put("a", 2);
        m.put("z", 3);
        m.remove("a");
        m.put("a", 4);
        System.out.println(m + " " + m.keySet() + m.values());
        Lru<Integer, String> lru = new Lru<>(3);
        for (int i = 0; i < 5; i++) {
            lru.put(i, "v" + i);
            lru.get(2);
        }
        System.out.println(lru);
        LinkedHashSet<Integer> s = new LinkedHashSet<>(List.of(5, 3, 9, 1));
        s.add(3);
        s.remove(5);
        s.add(5);
        System.out.println(s);
    }
}
