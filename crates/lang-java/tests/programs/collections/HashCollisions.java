import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

class HashCollisions {
    record Key(int v) implements Comparable<Key> {
        @Override
        public int hashCode() {
            return v % 2;
        }

        @Override
        public int compareTo(Key o) {
            return Integer.compare(v, o.v);
        }
    }

    public static void main(String[] args) {
        Map<Key, String> m = new HashMap<>();
        for (int i = 0; i < 100; i++) m.put(new Key(i), "v" + i);
        System.out.println(m.size() + " " + m.get(new Key(57)) + " " + m.get(new Key(200)));
        for (int i = 0; i < 95; i++) m.remove(new Key(i));
        System.out.println(m);
        Set<String> s = new HashSet<>();
        for (String t : new String[] {"AaAa", "BBBB", "AaBB", "BBAa", "CCCC"}) s.add(t);
        System.out.println(s + " " + s.contains("BBAa") + " " + "AaAa".hashCode() + " " + "BBBB".hashCode());
        Set<Integer> ints = new HashSet<>();
        for (int i = 0; i < 50; i++) ints.add(i * 16);
        System.out.println(ints);
    }
}
