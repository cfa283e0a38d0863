import java.io.InputStream;
import java.util.Enumeration;

/** Class loaders, resources, and what modules keep to themselves. */
class Loaders {
    static class Own extends ClassLoader {
        Own() {
        }

        Own(ClassLoader parent) {
            super(parent);
        }

        @Override
        protected Class<?> findClass(String name) throws ClassNotFoundException {
            System.out.println("looks for " + name);
            return super.findClass(name);
        }

        Class<?> loaded(String name) {
            return findLoadedClass(name);
        }
    }

    interface Call {
        Object call() throws Throwable;
    }

    static void show(String name, Call call) {
        try {
            System.out.println(name + ": " + call.call());
        } catch (Throwable thrown) {
            System.out.println(name + " !" + thrown.getClass().getName());
        }
    }

    public static void main(String[] args) throws Exception {
        ClassLoader system = ClassLoader.getSystemClassLoader();
        show("names", () -> system.getName() + " " + system.getParent().getName() + " " + system.getParent().getParent());
        show("mine", () -> Loaders.class.getClassLoader() == system);
        show("of the library", () -> String.class.getClassLoader());
        show("parent", () -> new Own().getParent() == system);
        show("given parent", () -> {
            ClassLoader parent = new Own();
            return new Own(parent).getParent() == parent;
        });
        show("load", () -> new Own().loadClass("java.util.ArrayList"));
        show("missing", () -> new Own().loadClass("not.There"));
        show("slashes", () -> new Own().loadClass("java/lang/Object"));
        show("loaded", () -> new Own().loaded("java.lang.String"));
        show("int", () -> Class.forName("int"));
        show("no resource", () -> new Own().getResource("not-there"));
        show("no stream", () -> new Own().getResourceAsStream("not-there"));
        show("resource", () -> system.getResource("Loaders.class") != null);
        show("stream", () -> {
            try (InputStream in = Loaders.class.getResourceAsStream("Loaders.class")) {
                return in.read() + " " + in.read();
            }
        });
        show("resources", () -> {
            Enumeration<?> all = system.getResources("not-there");
            return all.hasMoreElements();
        });
        show("context", () -> {
            ClassLoader own = new Own();
            Thread.currentThread().setContextClassLoader(own);
            boolean set = Thread.currentThread().getContextClassLoader() == own;
            Thread.currentThread().setContextClassLoader(system);
            return set;
        });
        show("module", () -> String.class.getModule() + " " + String.class.getModule().getName() + " " + Loaders.class.getModule().isNamed());
        show("open", () -> {
            String.class.getDeclaredField("value").setAccessible(true);
            return "opened";
        });
        show("exported", () -> String.class.getModule().isExported("java.util") + " " + String.class.getModule().isExported("jdk.internal.misc"));
        show("console", System::console);
    }
}
