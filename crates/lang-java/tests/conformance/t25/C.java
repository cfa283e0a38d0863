// toMap with a key given twice.
import java.util.stream.Collectors;
import java.util.stream.Stream;

class C {
    public static void main(String[] args) {
        try {
            System.out.println(Stream.of("a", "a").collect(Collectors.toMap(s -> s, s -> 1)));
        } catch (IllegalStateException e) {
            System.out.println(e.getMessage());
        }
    }
}
