import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.lang.reflect.UndeclaredThrowableException;

class Proxies {
    interface Greeter {
        String greet(String name);

        int add(int a, long b);

        default String twice(String n) {
            return greet(n) + greet(n);
        }

        void fail() throws java.io.IOException;
    }

    public static void main(String[] args) throws Exception {
        InvocationHandler h = (proxy, method, as) -> {
            switch (method.getName()) {
                case "greet": return "hi " + as[0];
                case "add": return (int) as[0] + (int) (long) as[1];
                case "hashCode": return 42;
                case "toString": return "proxy!";
                case "equals": return proxy == as[0];
                case "fail": throw new java.io.IOException("io");
                default: throw new Exception("checked " + method.getName());
            }
        };
        Greeter g = (Greeter) Proxy.newProxyInstance(Proxies.class.getClassLoader(), new Class<?>[] {Greeter.class, Runnable.class}, h);
        System.out.println(g.greet("bob") + " " + g.add(3, 4L) + " " + g.hashCode() + " " + g + " " + g.equals(g) + g.equals("x"));
        System.out.println(Proxy.isProxyClass(g.getClass()) + " " + (g instanceof Runnable) + " " + (Proxy.getInvocationHandler(g) == h));
        try {
            g.fail();
        } catch (java.io.IOException e) {
            System.out.println(e.getMessage());
        }
        try {
            ((Runnable) g).run();
        } catch (UndeclaredThrowableException e) {
            System.out.println(e.getCause().getMessage());
        }
        for (Method m : Greeter.class.getMethods()) {
            if (m.isDefault()) System.out.println(m.getName());
        }
    }
}
