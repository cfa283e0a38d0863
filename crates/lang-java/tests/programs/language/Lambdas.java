import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.function.IntBinaryOperator;
import java.util.function.IntFunction;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;

class Lambdas {
    int base = 100;

    interface Three<T> {
        T apply(T a, int b, long c);
    }

    Supplier<Integer> bound() {
        return () -> base++;
    }

    static int twice(int n) {
        return 2 * n;
    }

    public static void main(String[] args) {
        Lambdas l = new Lambdas();
        Supplier<Integer> s = l.bound();
        System.out.println(s.get() + s.get() + l.base);
        IntBinaryOperator add = (a, b) -> a + b;
        System.out.println(add.applyAsInt(3, 4));
        Function<Integer, Function<Integer, Integer>> curried = a -> b -> a * 10 + b;
        System.out.println(curried.apply(4).apply(2));
        Three<String> three = (a, b, c) -> a + b + c;
        System.out.println(three.apply("x", 1, 2L));
        UnaryOperator<String> up = String::toUpperCase;
        BiFunction<String, Integer, Character> at = String::charAt;
        IntFunction<int[]> make = int[]::new;
        Supplier<StringBuilder> builder = StringBuilder::new;
        Function<String, Integer> parse = Integer::parseInt;
        System.out.println(up.apply("abc") + at.apply("hello", 1) + make.apply(3).length + builder.get().append("sb") + parse.apply("12"));
        System.out.println(Function.<Integer>identity().andThen(Lambdas::twice).compose((String t) -> t.length()).apply("four"));
        Runnable r = () -> {
            class Inner {
                String t = "inner of lambda";
            }
            System.out.println(new Inner().t);
        };
        r.run();
        long wide = 1L << 40;
        double d = 0.5;
        Supplier<String> captures = () -> wide + " " + d + " " + l.base + " " + args.length;
        System.out.println(captures.get());
        Function<Object, String> toString = Object::toString;
        System.out.println(toString.apply(5) + toString.compose(x -> "c" + x).apply(6));
    }
}
