import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

class Tries {
    private final Map<Character, Tries> next = new TreeMap<>();
    private boolean word;

    void add(String s) {
        Tries t = this;
        for (char c : s.toCharArray()) t = t.next.computeIfAbsent(c, k -> new Tries());
        t.word = true;
    }

    List<String> complete(String prefix) {
        Tries t = this;
        for (int i = 0; i < prefix.length(); i++) {
            t = t.next.get(prefix.charAt(i));
            if (t == null) return List.of();
        }
        List<String> out = new ArrayList<>();
        t.collect(new StringBuilder(prefix), out);
        return out;
    }

    private void collect(StringBuilder s, List<String> out) {
        if (word) out.add(s.toString());
        next.forEach((c, t) -> {
            t.collect(s.append(c), out);
            s.setLength(s.length() - 1);
        });
    }

    public static void main(String[] args) {
        Tries t = new Tries();
        for (String w : "car card care cat dog do".split(" ")) t.add(w);
        System.out.println(t.complete("car") + " " + t.complete("d") + " " + t.complete("x") + " " + t.complete(""));
    }
}
