import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.DoubleUnaryOperator;
import java.util.function.Function;
import java.util.function.IntSupplier;
import java.util.function.LongFunction;
import java.util.function.Predicate;
import java.util.function.ToDoubleFunction;

class MethodReferences {
    static class Base {
        String name() {
            return "base";
        }
    }

    static class Derived extends Base {
        String name() {
            return "derived";
        }

        java.util.function.Supplier<String> parent() {
            return super::name;
        }

        java.util.function.Supplier<String> own() {
            return this::name;
        }
    }

    class Member {
        final int n;

        Member(int n) {
            this.n = n + offset;
        }
    }

    int offset = 7;

    Function<Integer, Member> maker() {
        return Member::new;
    }

    static int sum(Integer... xs) {
        return Arrays.stream(xs).mapToInt(x -> x).sum();
    }

    interface Two {
        int f(int a, int b);
    }

    public static void main(String[] args) {
        System.out.println(new Derived().parent().get() + new Derived().own().get());
        System.out.println(new MethodReferences().maker().apply(3).n);
        List<String> words = new ArrayList<>(List.of("pear", "fig", "apple"));
        words.sort(Comparator.comparing(String::length).thenComparing(Comparator.reverseOrder()));
        System.out.println(words);
        IntSupplier len = "bound"::length;
        System.out.println(len.getAsInt());
        Two two = MethodReferences::sum;
        System.out.println(two.f(3, 4));
        ToDoubleFunction<Integer> widen = Integer::intValue;
        DoubleUnaryOperator abs = Math::abs;
        LongFunction<Object> box = Long::valueOf;
        System.out.println(widen.applyAsDouble(3) + abs.applyAsDouble(-2) + " " + box.apply(9));
        Consumer<String> drop = words::add;
        drop.accept("kiwi");
        Predicate<String> empty = String::isEmpty;
        System.out.println(words + " " + empty.negate().test("") + empty.or(s -> s.length() > 3).test("four"));
        Function<Object[], List<Object>> list = Arrays::asList;
        System.out.println(list.apply(new Object[] {1, 2}));
        Consumer<Object> print = System.out::println;
        print.andThen(o -> System.out.println("then " + o)).accept("printed");
    }
}
