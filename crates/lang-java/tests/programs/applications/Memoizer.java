import java.util.HashMap;
import java.util.Map;
import java.util.function.BiFunction;
import java.util.function.Function;

class Memoizer {
    static <A, R> Function<A, R> memo(BiFunction<Function<A, R>, A, R> f) {
        Map<A, R> cache = new HashMap<>();
        return new Function<>() {
            @Override
            public R apply(A a) {
                R r = cache.get(a);
                if (r == null) {
                    r = f.apply(this, a);
                    cache.put(a, r);
                }
                return r;
            }
        };
    }

    static int calls;

    public static void main(String[] args) {
        Function<Integer, Long> fib = memo((self, n) -> {
            calls++;
            return n < 2 ? (long) n : self.apply(n - 1) + self.apply(n - 2);
        });
        System.out.println(fib.apply(60) + " " + calls);
        System.out.println(fib.apply(60) + " " + calls);
        Function<String, Integer> len = memo((self, s) -> s.isEmpty() ? 0 : 1 + self.apply(s.substring(1)));
        System.out.println(len.apply("recursion"));
    }
}
