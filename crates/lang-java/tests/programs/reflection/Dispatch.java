import java.util.LinkedHashMap;
import java.util.Map;

class Dispatch {
    public interface Plugin {
        String run(String in);
    }

    public static class Upper implements Plugin {
        public String run(String in) {
            return in.toUpperCase();
        }
    }

    public static class Reverse implements Plugin {
        public String run(String in) {
            return new StringBuilder(in).reverse().toString();
        }
    }

    public static void main(String[] args) throws Exception {
        Map<String, Plugin> plugins = new LinkedHashMap<>();
        for (String n : new String[] {"Upper", "Reverse", "Missing"}) {
            try {
                plugins.put(n, (Plugin) Class.forName("Dispatch$" + n).getDeclaredConstructor().newInstance());
            } catch (ClassNotFoundException e) {
                System.out.println("no plugin " + e.getMessage());
            }
        }
        plugins.forEach((n, p) -> System.out.println(n + " " + p.run("hello") + " " + p.getClass().getSimpleName()));
        for (var m : Plugin.class.getMethods()) System.out.println(m.getName() + m.getParameterCount());
        System.out.println(Thread.currentThread().getContextClassLoader() == Dispatch.class.getClassLoader());
        System.out.println(String.class.getClassLoader() + " " + (Dispatch.class.getClassLoader() != null) + " " + Dispatch.class.getPackage().getName().isEmpty() + " " + String.class.getPackage());
        System.out.println(Dispatch.class.getClassLoader().loadClass("Dispatch$Upper") == Upper.class);
    }
}
