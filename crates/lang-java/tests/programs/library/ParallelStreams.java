import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

class ParallelStreams {
    public static void main(String[] args) {
        System.out.println(IntStream.range(0, 100).parallel().sum());
        System.out.println(List.of(5, 3, 8, 1).parallelStream().map(x -> x * 2).sorted().collect(Collectors.toList()));
        System.out.println(IntStream.rangeClosed(1, 10).parallel().boxed().map(String::valueOf).collect(Collectors.joining(",")));
        System.out.println(IntStream.range(0, 50).parallel().filter(i -> i % 7 == 0).max().getAsInt());
    }
}
