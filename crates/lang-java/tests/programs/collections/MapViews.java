import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.TreeMap;

class MapViews {
    static void exercise(Map<String, Integer> m) {
        for (String k : new String[] {"d", "b", "a", "c"}) m.put(k, (int) k.charAt(0));
        m.keySet().remove("b");
        m.values().removeIf(v -> v == 'c');
        m.entrySet().iterator().next().setValue(0);
        System.out.println(m + " " + m.keySet().contains("a") + m.values().contains(0) + m.entrySet().contains(Map.entry("a", 97)));
        Iterator<Map.Entry<String, Integer>> it = m.entrySet().iterator();
        it.next();
        it.remove();
        System.out.println(m.size() + " " + m.keySet() + m.values() + m.entrySet());
        m.entrySet().clear();
        System.out.println(m.isEmpty());
        try {
            m.keySet().add("x");
        } catch (UnsupportedOperationException e) {
            System.out.println("no add");
        }
        m.forEach((k, v) -> System.out.println(k + v));
        m.putAll(Map.of("only", 1));
        System.out.println(m);
    }

    public static void main(String[] args) {
        exercise(new HashMap<>());
        exercise(new LinkedHashMap<>());
        exercise(new TreeMap<>());
    }
}
