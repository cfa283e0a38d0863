import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

class Pipelines {
    public static void main(String[] args) {
        List<String> words = List.of("delta", "alpha", "charlie", "bravo", "echo", "alpha");
        System.out.println(words.stream().filter(w -> w.length() == 5).map(String::toUpperCase).sorted().distinct().toList());
        System.out.println(words.stream().sorted(Comparator.comparing(String::length).thenComparing(Comparator.reverseOrder())).collect(Collectors.toList()));
        System.out.println(words.stream().skip(1).limit(3).peek(w -> System.out.print(w + "; ")).count());
        System.out.println(words.stream().mapToInt(String::length).summaryStatistics());
        System.out.println(words.stream().reduce("", (a, b) -> a + b.charAt(0)) + " " + words.stream().map(String::length).reduce(Integer::sum).get());
        System.out.println(words.stream().anyMatch("echo"::equals) + " " + words.stream().allMatch(w -> w.length() > 4) + " " + words.stream().noneMatch(String::isEmpty));
        System.out.println(words.stream().min(Comparator.naturalOrder()).get() + words.stream().max(Comparator.comparing(String::length)).get() + words.stream().findFirst().get());
        System.out.println(Stream.iterate(1, x -> x * 2).limit(10).toList() + " " + Stream.iterate(1, x -> x < 50, x -> x * 3).toList());
        System.out.println(Stream.of(List.of(1, 2), List.of(3)).flatMap(List::stream).map(x -> x * 10).toList() + " " + Stream.concat(Stream.of("a"), Stream.of("b")).toList());
        System.out.println(Stream.of(1, 2, 3, 4, 1).takeWhile(x -> x < 4).toList() + " " + Stream.of(1, 2, 3, 4, 1).dropWhile(x -> x < 4).toList());
        System.out.println(Stream.of(5, 3).mapMulti((Integer x, java.util.function.Consumer<Object> c) -> {
            c.accept(x);
            c.accept(-x);
        }).toList());
        System.out.println(Arrays.toString(words.stream().map(String::length).toArray(Integer[]::new)) + Stream.generate(() -> "g").limit(2).toList());
        System.out.println(Stream.ofNullable(null).count() + " " + Stream.empty().findAny());
        words.stream().forEachOrdered(w -> System.out.print(w.charAt(0)));
        System.out.println();
    }
}
