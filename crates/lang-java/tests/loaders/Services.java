import java.util.ServiceConfigurationError;
import java.util.ServiceLoader;

/** Services that files on the class path name. */
public class Services {
    public interface Greeter {
        String greet();
    }

    public static class English implements Greeter {
        public English() {
            System.out.println("made English");
        }

        @Override
        public String greet() {
            return "hello";
        }
    }

    public static class German implements Greeter {
        public German() {
            System.out.println("made German");
        }

        @Override
        public String greet() {
            return "hallo";
        }
    }

    public interface Nobody {
    }

    public interface Broken {
    }

    public static void main(String[] args) {
        ServiceLoader<Greeter> all = ServiceLoader.load(Greeter.class);
        for (int i = 0; i < 2; i++) {
            for (Greeter greeter : all) {
                System.out.println(greeter.greet());
            }
        }
        System.out.println(all.findFirst().get().greet());
        System.out.println(all.stream().map(found -> found.type().getSimpleName()).toList());
        all.reload();
        System.out.println(all.iterator().next().greet());
        System.out.println(ServiceLoader.load(Nobody.class).iterator().hasNext());
        ClassLoader loader = Services.class.getClassLoader();
        System.out.println(ServiceLoader.load(Greeter.class, loader).stream().count());
        try {
            ServiceLoader.load(Broken.class).iterator().next();
        } catch (ServiceConfigurationError error) {
            System.out.println(error.getMessage());
        }
    }
}
