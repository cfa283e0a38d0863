import java.util.ArrayList;
import java.util.List;
import java.util.function.IntSupplier;
import java.util.function.Supplier;

class Closures {
    private int shared;

    List<IntSupplier> counters() {
        List<IntSupplier> out = new ArrayList<>();
        for (int i = 1; i <= 3; i++) {
            int step = i;
            int[] own = {0};
            out.add(() -> {
                shared += step;
                return own[0] += step;
            });
        }
        return out;
    }

    static <T> Supplier<T> lazy(Supplier<T> s) {
        return new Supplier<>() {
            T v;
            boolean done;

            public T get() {
                if (!done) {
                    v = s.get();
                    done = true;
                }
                return v;
            }
        };
    }

    public static void main(String[] args) {
        Closures c = new Closures();
        List<IntSupplier> l = c.counters();
        for (int i = 0; i < 2; i++) for (IntSupplier s : l) System.out.print(s.getAsInt() + " ");
        System.out.println(c.shared);
        Supplier<String> z = lazy(() -> {
            System.out.println("computed");
            return "value";
        });
        System.out.println(z.get() + z.get());
        Runnable r = () -> {
            Runnable inner = () -> System.out.println(c.shared + args.length);
            inner.run();
        };
        r.run();
    }
}
