import java.util.List;
import java.util.stream.Stream;

class LazyOrder {
    public static void main(String[] args) {
        Stream<Integer> s = Stream.of(5, 2, 8, 1).filter(x -> {
            System.out.print("f" + x + " ");
            return x > 1;
        }).map(x -> {
            System.out.print("m" + x + " ");
            return x * 10;
        });
        System.out.println("built");
        System.out.println(s.anyMatch(x -> x == 20));
        System.out.println(Stream.of(3, 1, 2).peek(x -> System.out.print("a" + x + " ")).sorted().peek(x -> System.out.print("b" + x + " ")).limit(2).toList());
        System.out.println(List.of(1, 2, 3).stream().peek(x -> System.out.print("never")).count());
        try (Stream<String> c = Stream.of("x").onClose(() -> System.out.println("closed"))) {
            System.out.println(c.toList());
        }
        try {
            Stream.of(1, 2, 0).map(x -> 10 / x).forEach(x -> System.out.print(x + " "));
        } catch (ArithmeticException e) {
            System.out.println(e.getMessage());
        }
        try {
            s.count();
        } catch (IllegalStateException e) {
            System.out.println(e.getMessage());
        }
        System.out.println(Stream.iterate(new int[] {0, 1}, f -> new int[] {f[1], f[0] + f[1]}).map(f -> f[0]).dropWhile(x -> x < 50).findFirst().get());
    }
}
