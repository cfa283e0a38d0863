// A raw function given the wrong argument.
import java.util.function.Function;

class C {
    @SuppressWarnings({"unchecked", "rawtypes"})
    public static void main(String[] args) {
        Function<String, Integer> length = String::length;
        Function raw = length;
        try {
            System.out.println(raw.apply(5));
        } catch (ClassCastException e) {
            System.out.println(e.getMessage());
        }
    }
}
