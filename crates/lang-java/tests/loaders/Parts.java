/** Classes of which some are replaced by others of the same names after they were compiled. */
public class Parts {
    static class Gone { int value() { return 1; } }
    static class Heir extends Gone { }
    static class Methods { static int first() { return 1; } int second() { return 2; } }
    static class Version { static int value() { return 1; } }
    interface Role { int value(); }
    static class Actor implements Role { public int value() { return 1; } }
    static class Last { }
    static class Beyond extends Last { }
    static class Fixed { }
    static class Changed extends Fixed { int value() { return 1; } }
    static class Parent { }
    static class Child extends Parent { }

    static void attempt(String name, Runnable body) {
        try {
            body.run();
            System.out.println(name + " passes");
        } catch (LinkageError e) {
            System.out.println(name + " " + e);
        }
    }

    public static void main(String[] args) {
        attempt("gone", () -> new Heir().value());
        attempt("static", () -> Methods.first());
        attempt("instance", () -> new Methods().second());
        attempt("version", () -> Version.value());
        attempt("role", () -> { Role role = new Actor(); role.value(); });
        attempt("final class", () -> new Beyond());
        attempt("final method", () -> new Changed().value());
        attempt("interface", () -> new Child());
    }
}
