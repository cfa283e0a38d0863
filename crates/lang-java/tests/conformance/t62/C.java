// computeIfAbsent that calls itself on the same key.
import java.util.concurrent.ConcurrentHashMap;

class C {
    public static void main(String[] args) {
        ConcurrentHashMap<String, Integer> map = new ConcurrentHashMap<>();
        try {
            map.computeIfAbsent("a", k -> map.computeIfAbsent("a", k2 -> 1));
        } catch (IllegalStateException e) {
            System.out.println(e);
        }
    }
}
