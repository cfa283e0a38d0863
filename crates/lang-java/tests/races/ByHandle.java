// race: ByHandle.x
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;

class ByHandle {
    static int x;

    public static void main(String[] args) throws Throwable {
        MethodHandle setter = MethodHandles.lookup().findStaticSetter(ByHandle.class, "x", int.class);
        Thread t = new Thread(() -> {
            try {
                setter.invokeExact(1);
            } catch (Throwable e) {
                throw new Error(e);
            }
        });
        t.start();
        System.out.println(x);
        t.join();
    }
}
