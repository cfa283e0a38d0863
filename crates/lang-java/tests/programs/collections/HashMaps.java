import java.util.HashMap;
import java.util.Map;

class HashMaps {
    public static void main(String[] args) {
        Map<String, Integer> m = new HashMap<>();
        for (String w : "the cat sat on the mat and the dog sat too".split(" ")) m.merge(w, 1, Integer::sum);
        System.out.println(m);
        System.out.println(m.get("the") + " " + m.get("none") + " " + m.getOrDefault("none", -1) + " " + m.containsValue(2));
        m.computeIfAbsent("new", String::length);
        m.computeIfPresent("cat", (k, v) -> null);
        m.compute("dog", (k, v) -> v == null ? 1 : v + 10);
        m.putIfAbsent("mat", 50);
        m.replace("on", 7);
        m.replaceAll((k, v) -> v * 2);
        System.out.println(m + " " + m.size());
        m.remove("sat");
        m.remove("the", 999);
        m.keySet().removeIf(k -> k.startsWith("t"));
        m.values().remove(14);
        System.out.println(m);
        for (Map.Entry<String, Integer> e : m.entrySet()) e.setValue(e.getValue() + e.getKey().length());
        System.out.println(m + " " + m.hashCode() + " " + m.equals(new HashMap<>(m)));
        Map<Integer, Integer> big = new HashMap<>();
        for (int i = 0; i < 1000; i++) big.put(i * 31, i);
        long sum = 0;
        for (int v : big.values()) sum = sum * 7 + v;
        System.out.println(big.size() + " " + sum);
        m.put(null, null);
        System.out.println(m.containsKey(null) + " " + m.get(null) + " " + Map.entry("k", 1) + " " + new java.util.AbstractMap.SimpleEntry<>(1, 2));
    }
}
