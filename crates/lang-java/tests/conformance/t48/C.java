// The identity of lambda objects.
import java.util.function.Supplier;

class C {
    static Supplier<String> plain() {
        return () -> "x";
    }

    static Supplier<String> capturing(String s) {
        return () -> s;
    }

    public static void main(String[] args) {
        System.out.println(plain() == plain());
        System.out.println(capturing("a") == capturing("a"));
        System.out.println(plain().get() + capturing("y").get());
    }
}
