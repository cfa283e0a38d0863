import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.reflect.Constructor;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;

/** Loaders that define classes from bytes: the same class twice, its statics, and what it refers to. */
public class DefinedClasses {
    public interface Task {
        String run(int n);
    }

    /** Defines what belongs to this file itself, all else is left to its parent. */
    static class First extends ClassLoader {
        final List<String> asked = new ArrayList<>();

        First() {
            super("first", DefinedClasses.class.getClassLoader());
        }

        @Override
        protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
            synchronized (getClassLoadingLock(name)) {
                if (!name.startsWith("DefinedParts")) {
                    return super.loadClass(name, resolve);
                }
                Class<?> known = findLoadedClass(name);
                if (known != null) {
                    return known;
                }
                asked.add(name.substring(12));
                byte[] bytes = bytesOf(name);
                return defineClass(name, bytes, 0, bytes.length);
            }
        }
    }

    static byte[] bytesOf(String name) throws ClassNotFoundException {
        String file = name.replace('.', '/') + ".class";
        try (InputStream in = DefinedClasses.class.getClassLoader().getResourceAsStream(file)) {
            if (in == null) {
                throw new ClassNotFoundException(name);
            }
            ByteArrayOutputStream out = new ByteArrayOutputStream();
            in.transferTo(out);
            return out.toByteArray();
        } catch (IOException error) {
            throw new ClassNotFoundException(name, error);
        }
    }

    static class Bare extends ClassLoader {
        Bare(ClassLoader parent) {
            super(parent);
        }

        Class<?> define(String name, byte[] bytes) {
            return defineClass(name, bytes, 0, bytes.length);
        }

        Class<?> known(String name) {
            return findLoadedClass(name);
        }
    }

    static void show(String name, Object value) {
        System.out.println(name + ": " + value);
    }

    interface Call {
        Object call() throws Throwable;
    }

    static void attempt(String name, Call call) {
        try {
            show(name, call.call());
        } catch (Throwable thrown) {
            show(name + " !", thrown.getClass().getName());
            if (thrown.getCause() != null) {
                show("  cause", thrown.getCause().getClass().getName());
            }
        }
    }

    static Object make(Class<?> type, Object... arguments) throws Exception {
        Constructor<?> constructor = type.getDeclaredConstructors()[0];
        constructor.setAccessible(true);
        return constructor.newInstance(arguments);
    }

    public static void main(String[] args) throws Exception {
        First one = new First();
        First two = new First();
        Class<?> a = one.loadClass("DefinedParts$Counter");
        Class<?> b = two.loadClass("DefinedParts$Counter");
        show("names", a.getName() + " " + b.getName() + " " + a.getSimpleName());
        show("same", a == b);
        show("same as here", a == DefinedParts.Counter.class);
        show("again", one.loadClass("DefinedParts$Counter") == a);
        show("loaders", (a.getClassLoader() == one) + " " + (b.getClassLoader() == two) + " " + one.getName());
        show("asked", one.asked + " " + two.asked);
        Task first = (Task) make(a);
        Task second = (Task) make(b);
        Task here = new DefinedParts.Counter();
        show("first", first.run(1) + first.run(2));
        show("second", second.run(10));
        show("here", here.run(100) + " " + DefinedParts.Counter.count);
        show("asked later", one.asked);
        show("instance", a.isInstance(first) + " " + a.isInstance(second) + " " + (first instanceof DefinedParts.Counter));
        show("array", java.lang.reflect.Array.newInstance(a, 2).getClass() == java.lang.reflect.Array.newInstance(b, 2).getClass());
        attempt("cast", () -> (DefinedParts.Counter) (Object) first);
        Class<?> part = Class.forName("DefinedParts$Part", true, one);
        show("part", part.getClassLoader() == one);
        show("annotation", part.getAnnotations().length);
        Method many = part.getDeclaredMethod("many", int.class);
        many.setAccessible(true);
        Object parts = many.invoke(null, 3);
        show("many", parts.getClass().getComponentType() == part);
        show("length", ((Object[]) parts).length);
        attempt("store", () -> {
            ((Object[]) parts)[0] = new DefinedParts.Part("other");
            return "stored";
        });
        show("equal", make(part, "x").equals(make(part, "x")) + " " + make(part, "x").equals(new DefinedParts.Part("x")));
        Class<?> colour = one.loadClass("DefinedParts$Colour");
        show("enum", java.util.Arrays.toString(colour.getEnumConstants()));
        Method next = colour.getDeclaredMethod("next");
        next.setAccessible(true);
        show("next", next.invoke(colour.getEnumConstants()[0]));
        Class<?> pair = one.loadClass("DefinedParts$Pair");
        Object made = make(pair, make(part, "l"), colour.getEnumConstants()[1]);
        show("record", made.toString().contains("right=GREEN"));
        show("record equal", made.equals(make(pair, make(part, "l"), colour.getEnumConstants()[1])));
        attempt("mismatch", () -> make(pair, new DefinedParts.Part("l"), DefinedParts.Colour.RED));
        Class<?> failing = one.loadClass("DefinedParts$Failing");
        Method attempted = failing.getDeclaredMethod("attempt");
        attempted.setAccessible(true);
        show("attempt", attempted.invoke(null));
        Method broken = failing.getDeclaredMethod("broken");
        broken.setAccessible(true);
        try {
            broken.invoke(null);
        } catch (InvocationTargetException thrown) {
            show("broken", thrown.getCause());
            show("at", thrown.getCause().getStackTrace()[3].getMethodName());
        }
        show("declaring", part.getDeclaringClass() == one.loadClass("DefinedParts"));
        Bare bare = new Bare(null);
        attempt("not from here", () -> bare.loadClass("DefinedParts$Part"));
        attempt("library", () -> bare.loadClass("java.util.ArrayList"));
        attempt("wrong name", () -> bare.define("Other", bytesOf("DefinedParts$Part")));
        attempt("prohibited", () -> bare.define("java.util.Own", bytesOf("DefinedParts$Part")));
        attempt("format", () -> bare.define("Other", new byte[] {1, 2, 3, 4, 5, 6, 7, 8}));
        attempt("short", () -> bare.define("Other", new byte[0]));
        attempt("define", () -> bare.define("DefinedParts$Part", bytesOf("DefinedParts$Part")));
        attempt("twice", () -> bare.define("DefinedParts$Part", bytesOf("DefinedParts$Part")));
        attempt("known", () -> bare.known("DefinedParts$Part") + " " + bare.known("java.lang.String"));
        attempt("needs", () -> bare.define("DefinedParts$Counter", bytesOf("DefinedParts$Counter")));
        attempt("no name", () -> new Bare(null).define(null, bytesOf("DefinedParts$Part")).getName());
        attempt("for name", () -> Class.forName("DefinedParts$Nothing", true, one));
        attempt("array name", () -> Class.forName("[LDefinedParts$Part;", true, one) == parts.getClass());
        attempt("assertions", () -> part.desiredAssertionStatus());
        attempt("package", () -> "'" + part.getPackage().getName() + "' " + part.getPackageName().isEmpty());
    }
}

/** What loaders define themselves. */
class DefinedParts {
    @Retention(RetentionPolicy.RUNTIME)
    @interface Mark {
        Class<?> value();
    }

    static class Counter implements DefinedClasses.Task {
        static int count;

        static {
            System.out.println("Counter is initialised");
        }

        final List<Part> parts = new ArrayList<>();

        @Override
        public String run(int n) {
            count += n;
            parts.add(new Part("p" + n));
            Supplier<String> text = () -> parts.get(0).name + count;
            return text.get();
        }
    }

    @Mark(Part.class)
    static class Part {
        final String name;

        Part(String name) {
            this.name = name;
        }

        static Part[] many(int n) {
            Part[] all = new Part[n];
            for (int i = 0; i < n; i++) {
                all[i] = new Part("n" + i);
            }
            return all;
        }

        @Override
        public boolean equals(Object other) {
            return other instanceof Part part && part.name.equals(name);
        }

        @Override
        public int hashCode() {
            return name.hashCode();
        }
    }

    enum Colour {
        RED, GREEN;

        Colour next() {
            return switch (this) {
                case RED -> GREEN;
                case GREEN -> RED;
            };
        }
    }

    record Pair(Part left, Colour right) {
    }

    static class Failing {
        static class Problem extends RuntimeException {
            Problem(String text) {
                super(text);
            }
        }

        static String attempt() {
            try {
                throw new Problem("found");
            } catch (Problem problem) {
                return "caught " + problem.getMessage();
            }
        }

        static int broken() {
            return Integer.parseInt("x");
        }
    }
}
