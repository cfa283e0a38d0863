import java.util.List;
import java.util.function.Supplier;
import java.util.stream.Collectors;

/** Walks over the frames of the thread. */
class StackWalks {
    static final StackWalker WALKER = StackWalker.getInstance(StackWalker.Option.RETAIN_CLASS_REFERENCE);

    static void outer(int depth) throws ReflectiveOperationException {
        if (depth > 0) {
            outer(depth - 1);
            return;
        }
        StackWalks.class.getDeclaredMethod("inner").invoke(null);
    }

    static void inner() {
        System.out.println(WALKER.getCallerClass().getName());
        WALKER.forEach(frame -> System.out.println(frame.getClassName() + " " + frame.getMethodName() + ":" + frame.getLineNumber() + " " + frame.getDeclaringClass()));
        List<String> two = StackWalker.getInstance().walk(frames -> frames.map(frame -> frame.toStackTraceElement().toString()).limit(2).collect(Collectors.toList()));
        System.out.println(two);
        Supplier<Long> count = () -> WALKER.walk(frames -> frames.count());
        System.out.println(count.get());
        try {
            StackWalker.getInstance().walk(frames -> frames.findFirst().get().getDeclaringClass());
        } catch (UnsupportedOperationException refused) {
            System.out.println("refused");
        }
        try {
            StackWalker.getInstance().getCallerClass();
        } catch (UnsupportedOperationException refused) {
            System.out.println(refused.getMessage());
        }
    }

    public static void main(String[] args) throws ReflectiveOperationException {
        outer(2);
    }
}
