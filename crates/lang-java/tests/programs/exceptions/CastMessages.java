import java.util.ArrayList;
import java.util.List;
import java.util.Map;

class CastMessages {
    enum E { X }

    static class A { }

    static void attempt(Runnable r) {
        try {
            r.run();
        } catch (RuntimeException e) {
            System.out.println(e.getClass().getName() + ": " + e.getMessage());
        }
    }

    public static void main(String[] args) {
        Object o = new A();
        Object s = "s";
        Object list = new ArrayList<>();
        attempt(() -> System.out.println((String) o));
        attempt(() -> System.out.println((A) s));
        attempt(() -> System.out.println((E) o));
        attempt(() -> System.out.println((Map<?, ?>) list));
        attempt(() -> System.out.println(((A[]) (Object) new Object[1]).length));
        attempt(() -> System.out.println(((int[]) (Object) "x").length));
        attempt(() -> System.out.println((Integer) (Object) 5L));
        attempt(() -> System.out.println(Integer.class.cast("x")));
        attempt(() -> ((Object[]) (Object) new Integer[][] {{1}})[0] = "a");
        attempt(() -> System.out.println(((List<String>) (List<?>) List.of(1)).get(0).length()));
        attempt(() -> System.out.println((Comparable<?>) o));
    }
}
