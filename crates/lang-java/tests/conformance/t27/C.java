// A stream used twice.
import java.util.stream.Stream;

class C {
    public static void main(String[] args) {
        Stream<Integer> stream = Stream.of(1, 2);
        System.out.println(stream.count());
        try {
            System.out.println(stream.count());
        } catch (IllegalStateException e) {
            System.out.println(e.getMessage());
        }
    }
}
