import java.util.Iterator;
import java.util.function.IntPredicate;
import java.util.function.IntUnaryOperator;

class Generators {
    interface Seq extends Iterable<Integer> {
        default Seq filter(IntPredicate p) {
            return () -> new Iterator<>() {
                final Iterator<Integer> in = Seq.this.iterator();
                Integer next = advance();

                private Integer advance() {
                    while (in.hasNext()) {
                        Integer v = in.next();
                        if (p.test(v)) return v;
                    }
                    return null;
                }

                public boolean hasNext() {
                    return next != null;
                }

                public Integer next() {
                    Integer v = next;
                    next = advance();
                    return v;
                }
            };
        }

        default Seq map(IntUnaryOperator f) {
            return () -> {
                Iterator<Integer> in = iterator();
                return new Iterator<>() {
                    public boolean hasNext() {
                        return in.hasNext();
                    }

                    public Integer next() {
                        return f.applyAsInt(in.next());
                    }
                };
            };
        }

        static Seq range(int from, int to) {
            return () -> new Iterator<>() {
                int at = from;

                public boolean hasNext() {
                    return at < to;
                }

                public Integer next() {
                    return at++;
                }
            };
        }
    }

    public static void main(String[] args) {
        for (int v : Seq.range(0, 20).filter(x -> x % 3 == 0).map(x -> x * x)) System.out.print(v + " ");
        System.out.println();
    }
}
