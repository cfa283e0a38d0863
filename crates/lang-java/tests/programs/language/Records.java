import java.util.List;
import java.util.Objects;

class Records {
    record Point(int x, int y) implements Comparable<Point> {
        static final Point ORIGIN = new Point(0, 0);

        Point {
            if (x < 0) {
                throw new IllegalArgumentException("x " + x);
            }
        }

        Point(int both) {
            this(both, both);
        }

        double length() {
            return Math.sqrt(x * x + y * y);
        }

        public int compareTo(Point o) {
            return Integer.compare(x, o.x);
        }
    }

    record Pair<A, B>(A first, B second) {
        <C> Pair<A, C> with(C c) {
            return new Pair<>(first, c);
        }
    }

    record All(boolean z, byte b, char c, short s, int i, long l, float f, double d, int[] a, String t) { }

    public static void main(String[] args) {
        Point p = new Point(3, 4);
        System.out.println(p + " " + p.x() + p.y() + " " + p.length() + " " + p.equals(new Point(3, 4)) + " " + p.hashCode());
        System.out.println(new Point(7).compareTo(Point.ORIGIN) + " " + Point.ORIGIN);
        System.out.println(new Pair<>("a", 1).with(List.of(2)) + " " + new Pair<>(null, null).hashCode());
        System.out.println(new Pair<>("a", 1).equals(new Pair<>("a", 1L)));
        All a = new All(true, (byte) 1, 'c', (short) 2, 3, 4L, 5f, 6d, null, "t");
        System.out.println(a + " " + a.hashCode() + " " + a.equals(new All(true, (byte) 1, 'c', (short) 2, 3, 4L, 5f, 6d, null, "t")));
        System.out.println(Objects.hash(1, "a") + " " + Point.class.isRecord());
        try {
            new Point(-1, 0);
        } catch (IllegalArgumentException e) {
            System.out.println(e.getMessage());
        }
    }
}
