import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

class Immutables {
    static void refuse(Runnable r) {
        try {
            r.run();
            System.out.println("allowed");
        } catch (RuntimeException e) {
            System.out.println(e);
        }
    }

    public static void main(String[] args) {
        System.out.println(List.of() + " " + List.of(1) + List.of(1, 2) + List.of(1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11));
        System.out.println(new TreeSet<>(Set.of(3, 1, 2)) + " " + new TreeMap<>(Map.of("b", 1, "a", 2)) + " " + Set.of(5) + Map.of("k", "v"));
        refuse(() -> List.of(1).add(2));
        refuse(() -> Set.of(1, 1));
        refuse(() -> Map.of("a", 1).put("b", 2));
        refuse(() -> List.of(1, 2).contains(null));
        refuse(() -> List.of().iterator().next());
        refuse(() -> Collections.emptyList().add(null));
        refuse(() -> Collections.unmodifiableMap(new TreeMap<>()).clear());
        refuse(() -> Collections.singletonList(1).remove(0));
        refuse(() -> List.of((Object) null));
        List<Integer> base = new ArrayList<>(List.of(1));
        List<Integer> view = Collections.unmodifiableList(base);
        List<Integer> copy = List.copyOf(base);
        base.add(2);
        System.out.println(view + " " + copy + " " + (List.copyOf(copy) == copy));
        System.out.println(Collections.nCopies(3, "x") + " " + Collections.emptyMap() + Collections.singleton(4) + " " + List.of(1, 2).hashCode() + " " + List.of(1, 2).equals(base));
        System.out.println(Map.ofEntries(Map.entry("one", 1)) + " " + Collections.synchronizedList(base) + Collections.checkedList(base, Integer.class));
    }
}
