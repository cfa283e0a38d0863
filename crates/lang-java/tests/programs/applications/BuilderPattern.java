import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

class BuilderPattern {
    private final String name;
    private final List<String> toppings;
    private final int size;

    private BuilderPattern(Builder b) {
        name = Objects.requireNonNull(b.name, "name");
        toppings = List.copyOf(b.toppings);
        size = b.size;
    }

    static abstract class Base<T extends Base<T>> {
        int size = 10;

        abstract T self();

        T size(int s) {
            size = s;
            return self();
        }
    }

    static class Builder extends Base<Builder> {
        private String name;
        private final List<String> toppings = new ArrayList<>();

        Builder self() {
            return this;
        }

        Builder name(String n) {
            name = n;
            return this;
        }

        Builder top(String t) {
            toppings.add(t);
            return this;
        }

        BuilderPattern build() {
            return new BuilderPattern(this);
        }
    }

    public static void main(String[] args) {
        Builder b = new Builder().size(12).name("pizza").top("cheese");
        BuilderPattern p = b.build();
        b.top("late");
        System.out.println(p.name + " " + p.size + " " + p.toppings + " " + b.build().toppings);
        try {
            new Builder().build();
        } catch (NullPointerException e) {
            System.out.println(e.getMessage());
        }
    }
}
