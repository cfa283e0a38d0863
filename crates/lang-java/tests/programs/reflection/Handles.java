import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.invoke.VarHandle;

class Handles {
    int x = 5;
    static String name = "n";

    int plus(int n) {
        return x + n;
    }

    static String stat(String a, int b) {
        return a + b;
    }

    public static void main(String[] args) throws Throwable {
        MethodHandles.Lookup l = MethodHandles.lookup();
        MethodHandle plus = l.findVirtual(Handles.class, "plus", MethodType.methodType(int.class, int.class));
        Handles h = new Handles();
        int r = (int) plus.invokeExact(h, 7);
        System.out.println(r + " " + (int) plus.invoke(h, 8) + " " + plus.type());
        MethodHandle stat = l.findStatic(Handles.class, "stat", MethodType.methodType(String.class, String.class, int.class));
        System.out.println((String) stat.invokeExact("s", 1));
        MethodHandle make = l.findConstructor(Handles.class, MethodType.methodType(void.class));
        System.out.println(((Handles) make.invoke()).x);
        MethodHandle get = l.findGetter(Handles.class, "x", int.class);
        System.out.println((int) get.invokeExact(h));
        VarHandle v = l.findVarHandle(Handles.class, "x", int.class);
        System.out.println((boolean) v.compareAndSet(h, 5, 6) + " " + (int) v.getAndAdd(h, 4) + " " + (int) v.getVolatile(h) + " " + h.x);
        VarHandle s = l.findStaticVarHandle(Handles.class, "name", String.class);
        s.setRelease("changed");
        System.out.println(name + " " + (String) s.getAndSet("again") + name);
        VarHandle a = MethodHandles.arrayElementVarHandle(long[].class);
        long[] array = new long[2];
        System.out.println((long) a.getAndAdd(array, 1, 5L) + " " + array[1] + " " + (long) a.compareAndExchange(array, 1, 5L, 9L) + array[1]);
        try {
            l.findVirtual(Handles.class, "none", MethodType.methodType(void.class));
        } catch (NoSuchMethodException e) {
            System.out.println(e.getMessage());
        }
    }
}
