import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.ConcurrentSkipListSet;

class ConcurrentMaps {
    public static void main(String[] args) {
        ConcurrentHashMap<String, Integer> m = new ConcurrentHashMap<>();
        for (String w : "the cat sat on the mat".split(" ")) m.merge(w, 1, Integer::sum);
        System.out.println(m + " " + m.size() + " " + m.mappingCount() + " " + m.contains(2));
        System.out.println(m.putIfAbsent("cat", 9) + " " + m.replace("cat", 1, 5) + " " + m.remove("on", 7) + " " + m.computeIfAbsent("new", String::length) + " " + m.compute("mat", (k, v) -> null));
        System.out.println(m.reduceValues(1000, Integer::sum) + " " + m.search(1000, (k, v) -> v == 5 ? k : null) + " " + m.keySet().contains("sat") + m.getOrDefault("zzz", 0));
        m.forEach(1000, (k, v) -> { });
        for (int i = 0; i < 200; i++) m.put("k" + i, i);
        for (int i = 0; i < 195; i++) m.remove("k" + i);
        System.out.println(m.size() + " " + m.keySet().stream().sorted().toList());
        for (String k : m.keySet()) if (k.startsWith("k")) m.remove(k);
        System.out.println(m.size() + " " + ConcurrentHashMap.newKeySet().add("x"));
        try {
            m.put(null, 1);
        } catch (NullPointerException e) {
            System.out.println("no null keys");
        }
        ConcurrentSkipListMap<Integer, String> s = new ConcurrentSkipListMap<>();
        for (int i = 0; i < 20; i++) s.put(i * 7 % 20, "v" + i);
        System.out.println(s.firstKey() + " " + s.ceilingEntry(15) + " " + s.headMap(3) + " " + s.pollLastEntry() + " " + s.descendingMap().firstKey() + s.remove(5) + s.size());
        System.out.println(new ConcurrentSkipListSet<>(java.util.List.of(3, 1, 2)).higher(1));
    }
}
