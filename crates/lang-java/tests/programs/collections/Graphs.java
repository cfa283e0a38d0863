import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

class Graphs {
    final Map<String, Set<String>> edges = new TreeMap<>();

    void edge(String a, String b) {
        edges.computeIfAbsent(a, k -> new TreeSet<>()).add(b);
        edges.computeIfAbsent(b, k -> new TreeSet<>());
    }

    List<String> bfs(String start) {
        Set<String> seen = new LinkedHashSet<>(Set.of(start));
        Deque<String> queue = new ArrayDeque<>(seen);
        while (!queue.isEmpty()) {
            for (String n : edges.get(queue.poll())) {
                if (seen.add(n)) queue.add(n);
            }
        }
        return new ArrayList<>(seen);
    }

    List<String> topological() {
        Map<String, Integer> in = new HashMap<>();
        edges.values().forEach(s -> s.forEach(n -> in.merge(n, 1, Integer::sum)));
        List<String> out = new ArrayList<>();
        Deque<String> ready = new ArrayDeque<>();
        edges.keySet().stream().filter(n -> !in.containsKey(n)).forEach(ready::add);
        while (!ready.isEmpty()) {
            String n = ready.poll();
            out.add(n);
            for (String m : edges.get(n)) {
                if (in.merge(m, -1, Integer::sum) == 0) ready.add(m);
            }
        }
        return out;
    }

    public static void main(String[] args) {
        Graphs g = new Graphs();
        for (String e : "a-b a-c b-d c-d d-e c-f f-e".split(" ")) g.edge(e.substring(0, 1), e.substring(2));
        System.out.println(g.edges);
        System.out.println(g.bfs("a") + " " + g.bfs("d"));
        System.out.println(g.topological());
    }
}
