// The iteration order of hash tables.
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;

class C {
    public static void main(String[] args) {
        Map<String, Integer> map = new HashMap<>();
        for (String s : "zeta alpha mid beta Aa BB".split(" ")) {
            map.put(s, s.length());
        }
        System.out.println(map.keySet());
        System.out.println(new HashSet<>(List.of(100, 33, 17, 1, 16)));
    }
}
