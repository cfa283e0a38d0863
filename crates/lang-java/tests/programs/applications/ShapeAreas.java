import java.util.Comparator;
import java.util.List;

class ShapeAreas {
    sealed interface Shape permits Circle, Rect, Group { }

    record Circle(double r) implements Shape { }

    record Rect(double w, double h) implements Shape {
        Rect {
            if (w < 0 || h < 0) throw new IllegalArgumentException("negative side in " + w + "x" + h);
        }
    }

    record Group(List<Shape> shapes) implements Shape {
        Group(Shape... shapes) {
            this(List.of(shapes));
        }
    }

    static double area(Shape s) {
        if (s instanceof Circle c) return Math.PI * c.r() * c.r();
        if (s instanceof Rect r) return r.w() * r.h();
        if (s instanceof Group g) return g.shapes().stream().mapToDouble(ShapeAreas::area).sum();
        throw new AssertionError();
    }

    public static void main(String[] args) {
        List<Shape> l = List.of(new Circle(1.5), new Rect(2, 3.5), new Group(new Circle(1), new Rect(1, 1)));
        l.stream().sorted(Comparator.comparingDouble(ShapeAreas::area)).forEach(s -> System.out.println(s + " " + area(s)));
        try {
            new Rect(-1, 2);
        } catch (IllegalArgumentException e) {
            System.out.println(e.getMessage());
        }
    }
}
