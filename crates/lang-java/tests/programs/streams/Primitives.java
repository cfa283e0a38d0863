import java.util.Arrays;
import java.util.stream.Collectors;
import java.util.stream.DoubleStream;
import java.util.stream.IntStream;
import java.util.stream.LongStream;

class Primitives {
    public static void main(String[] args) {
        System.out.println(IntStream.range(0, 10).sum() + " " + IntStream.rangeClosed(1, 5).average().getAsDouble() + " " + IntStream.of(3, 1, 2).sorted().boxed().toList());
        System.out.println(LongStream.rangeClosed(1, 20).reduce(1, (a, b) -> a * b) + " " + DoubleStream.of(1.5, 2.5).sum() + " " + DoubleStream.of(0.1, 0.2, 0.3).average().getAsDouble());
        System.out.println(IntStream.range(0, 5).mapToObj(i -> "s" + i).collect(Collectors.joining()) + " " + IntStream.range(0, 3).asLongStream().sum() + " " + IntStream.of(7).asDoubleStream().sum());
        System.out.println(Arrays.toString(IntStream.iterate(1, i -> i * 3).limit(5).toArray()) + " " + IntStream.range(0, 20).filter(i -> i % 7 == 0).count());
        System.out.println(IntStream.range(1, 4).flatMap(i -> IntStream.range(0, i)).boxed().toList() + " " + "hello".chars().mapToObj(c -> (char) c).toList());
        System.out.println(IntStream.of(1, 2).summaryStatistics() + " " + DoubleStream.of(1, 2).summaryStatistics());
        System.out.println(LongStream.of(1L << 40, 5).mapToInt(l -> (int) l).boxed().toList() + " " + IntStream.empty().min() + " " + IntStream.of(4, 9).max());
        System.out.println(IntStream.range(0, 100).mapToDouble(i -> i / 3.0).sum() + " " + IntStream.concat(IntStream.of(1), IntStream.of(2)).anyMatch(i -> i == 2));
        System.out.println(DoubleStream.iterate(1, d -> d / 2).limit(8).boxed().toList());
    }
}
