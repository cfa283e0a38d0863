// strong
import java.lang.invoke.*;
class Strong {
    static int x, y;
    static final VarHandle X, Y;
    static { try { X = MethodHandles.lookup().findStaticVarHandle(Strong.class, "x", int.class); Y = MethodHandles.lookup().findStaticVarHandle(Strong.class, "y", int.class); } catch (Exception e) { throw new Error(e); } }
    public static void main(String[] a) throws Exception {
        int[] r = new int[2];
        Thread t = new Thread(() -> { X.setVolatile(1); r[0] = (int) Y.getVolatile(); });
        t.start();
        Y.setVolatile(1); r[1] = (int) X.getVolatile();
        t.join();
        assert r[0] + r[1] > 0;
    }
}
