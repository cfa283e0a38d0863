import java.net.*; 
public class JdkResources {
    public static void main(String[] args) throws Exception {
        System.out.println(System.mapLibraryName("foo"));
        System.out.println(ClassLoader.getSystemResourceAsStream("java/util/logging/Logger.class")!=null);
        System.out.println(Object.class.getResource("Object.class"));
        System.out.println(ClassLoader.getSystemResource("java/util/logging/Logger.class"));
        System.out.println(java.util.logging.Logger.class.getResource("Logger.class"));
        System.out.println(java.util.logging.Logger.class.getResourceAsStream("Logger.class")!=null);
        System.out.println(JdkResources.class.getResource("Nothing.class") + " " + Object.class.getResource("/nothing"));
        Object o1 = StackWalker.getInstance(StackWalker.Option.RETAIN_CLASS_REFERENCE).walk(s->s.findFirst().get().getMethodType()); System.out.println(o1);
        try { Object o = StackWalker.getInstance().walk(s->s.findFirst().get().getMethodType()); System.out.println(o); } catch (UnsupportedOperationException t) { System.out.println(t); }
        System.out.println(ClassLoader.class.getDeclaredFields().length+" "+Class.class.getDeclaredFields().length+" "+System.class.getDeclaredFields().length+" "+java.lang.reflect.Field.class.getDeclaredFields().length);
        System.out.printf(java.util.Locale.ROOT, "%.2f%n", 1.5);
        System.out.format(java.util.Locale.US, "%.2f%n", 1.5).append('c').append("x").println();
        try (var in = Object.class.getResource("Object.class").openStream()) { System.out.println(in.read()); }
        System.out.println(InetAddress.getByName("localhost"));
        System.out.println(InetAddress.getByName("127.0.0.1").isLoopbackAddress());
        Thread s = new Thread(() -> System.out.println("ran")); s.stop(); s.start(); s.join(); System.out.println(s.getState());
        try { java.util.logging.Logger.getLogger("x","NoSuchBundle"); } catch (java.util.MissingResourceException t) { System.out.println(t); }
    }
}
