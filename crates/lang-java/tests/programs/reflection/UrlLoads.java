import java.io.File;
import java.io.InputStream;
import java.net.URL;
import java.net.URLClassLoader;
import java.util.Arrays;
import java.util.concurrent.Callable;

/** Loaders of URLs: a directory, and nothing. */
class UrlLoads {
    public static class Task implements Callable<String> {
        static int calls;

        @Override
        public String call() {
            return "called " + ++calls + " " + (getClass().getClassLoader() instanceof URLClassLoader);
        }
    }

    interface Call {
        Object call() throws Throwable;
    }

    static void show(String name, Call call) {
        try {
            System.out.println(name + ": " + call.call());
        } catch (Throwable thrown) {
            System.out.println(name + " !" + thrown);
        }
    }

    public static void main(String[] args) throws Exception {
        URL own = UrlLoads.class.getResource("UrlLoads.class");
        File directory = new File(own.toURI()).getParentFile();
        URL[] urls = {directory.toURI().toURL()};
        try (URLClassLoader loader = new URLClassLoader(urls, null)) {
            show("urls", () -> loader.getURLs().length + " " + loader.getURLs()[0].getProtocol());
            Class<?> task = loader.loadClass("UrlLoads$Task");
            show("loader", () -> task.getClassLoader() == loader);
            show("another", () -> task != Task.class);
            Callable<?> made = (Callable<?>) task.getDeclaredConstructor().newInstance();
            show("call", made::call);
            show("call here", new Task()::call);
            show("again", made::call);
            show("missing", () -> loader.loadClass("not.There"));
            show("resource", () -> loader.getResource("UrlLoads$Task.class").getPath().endsWith("/UrlLoads$Task.class"));
            show("no resource", () -> loader.getResource("nothing"));
            show("stream", () -> {
                try (InputStream in = loader.getResourceAsStream("UrlLoads$Task.class")) {
                    return Arrays.toString(in.readNBytes(4));
                }
            });
        }
        try (URLClassLoader loader = new URLClassLoader(urls)) {
            show("parent first", () -> loader.loadClass("UrlLoads$Task") == Task.class);
        }
        URLClassLoader closed = new URLClassLoader(urls, null);
        closed.close();
        show("closed", () -> closed.loadClass("UrlLoads$Task"));
    }
}
