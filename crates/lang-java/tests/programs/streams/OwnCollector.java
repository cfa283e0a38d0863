import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.stream.Collector;
import java.util.stream.Stream;

class OwnCollector {
    public static void main(String[] args) {
        Collector<String, List<String>, String> c = Collector.of(ArrayList::new, List::add, (a, b) -> {
            a.addAll(b);
            return a;
        }, l -> {
            Collections.reverse(l);
            return String.join("<", l);
        });
        System.out.println(Stream.of("a", "b", "c").collect(c));
        System.out.println(Stream.of("x", "y").collect(StringBuilder::new, StringBuilder::append, StringBuilder::append).reverse());
        System.out.println(Stream.of(1, 2, 3, 4).reduce(0, (a, x) -> a + x * x, Integer::sum));
        int[] counter = new int[1];
        Stream.of("p", "q").forEach(s -> counter[0] += s.charAt(0));
        System.out.println(counter[0]);
    }
}
