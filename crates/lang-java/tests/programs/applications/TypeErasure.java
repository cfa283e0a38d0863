import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;

class TypeErasure {
    static class Cell<T> {
        T v;

        void set(T t) {
            v = t;
        }

        T get() {
            return v;
        }
    }

    static class IntCell extends Cell<Integer> {
        @Override
        void set(Integer t) {
            super.set(t == null ? 0 : t + 1);
        }

        @Override
        Integer get() {
            return super.get() * 2;
        }
    }

    static <T> T[] array(Supplier<T[]> s) {
        return s.get();
    }

    @SuppressWarnings("unchecked")
    public static void main(String[] args) throws Exception {
        Cell<Integer> c = new IntCell();
        c.set(4);
        System.out.println(c.get());
        Cell<Object> raw = (Cell<Object>) (Cell<?>) c;
        try {
            raw.set("not a number");
        } catch (ClassCastException e) {
            System.out.println(e.getMessage());
        }
        System.out.println(new ArrayList<String>().getClass() == new ArrayList<Integer>().getClass());
        List<?> wild = List.of(1, "two");
        Object o = wild.get(1);
        System.out.println(o + " " + TypeErasure.<String>array(() -> new String[2]).length);
        int bridges = 0;
        for (var m : IntCell.class.getDeclaredMethods()) if (m.isBridge()) bridges++;
        System.out.println(bridges + " bridges");
    }
}
