import java.io.File;
import java.io.InputStream;
import java.net.URL;
import java.net.URLClassLoader;
import java.util.ServiceLoader;
import java.util.concurrent.Callable;

/** Classes, resources and services of a jar beside the class path. */
class JarLoads {
    public static void main(String[] args) throws Exception {
        File classes = new File(JarLoads.class.getResource("JarLoads.class").toURI()).getParentFile();
        URL[] urls = {new File(classes.getParentFile(), "plug.jar").toURI().toURL()};
        try (URLClassLoader loader = new URLClassLoader(urls, JarLoads.class.getClassLoader())) {
            Class<?> plug = loader.loadClass("plug.Plug");
            Callable<?> made = (Callable<?>) plug.getDeclaredConstructor().newInstance();
            System.out.println(made.call());
            System.out.println(made.call());
            System.out.println(plug.getPackage().getName());
            try (InputStream in = loader.getResourceAsStream("plug/text.txt")) {
                System.out.println(new String(in.readAllBytes()).trim());
            }
            for (Callable<?> found : ServiceLoader.load(Callable.class, loader)) {
                System.out.println("service " + found.call());
            }
            System.out.println(loader.getResource("plug/text.txt").getProtocol());
        }
    }
}
