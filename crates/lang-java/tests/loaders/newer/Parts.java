public class Parts {
    static class Methods { private static int first() { return 1; } static int second() { return 2; } }
    static class Actor { public int value() { return 1; } }
    static final class Last { }
    static class Fixed { final int value() { return 1; } }
    interface Parent { }
}
