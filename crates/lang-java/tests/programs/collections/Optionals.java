import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.stream.IntStream;

class Optionals {
    public static void main(String[] args) {
        Optional<String> o = Optional.of("value");
        Optional<String> e = Optional.empty();
        System.out.println(o + " " + e + " " + o.isPresent() + e.isEmpty() + " " + o.map(String::length) + e.map(String::length));
        System.out.println(o.filter(s -> s.startsWith("x")) + " " + o.flatMap(s -> Optional.of(s + "!")) + e.or(() -> Optional.of("other")) + e.orElse("else") + e.orElseGet(() -> "got"));
        o.ifPresent(System.out::println);
        e.ifPresentOrElse(System.out::println, () -> System.out.println("absent"));
        try {
            e.orElseThrow(() -> new IllegalStateException("mine"));
        } catch (IllegalStateException x) {
            System.out.println(x.getMessage());
        }
        try {
            e.orElseThrow();
        } catch (java.util.NoSuchElementException x) {
            System.out.println(x.getMessage());
        }
        System.out.println(OptionalInt.of(3) + " " + OptionalInt.empty() + IntStream.of().max() + IntStream.of(1, 5, 2).max().getAsInt() + OptionalDouble.of(1.5));
        System.out.println(Optional.ofNullable(null) + " " + o.equals(Optional.of("value")) + o.hashCode() + o.stream().toList());
    }
}
