// A method reference that unboxes and widens.
import java.util.function.ToLongFunction;

class C {
    public static void main(String[] args) {
        ToLongFunction<Integer> f = Integer::intValue;
        System.out.println(f.applyAsLong(5));
    }
}
