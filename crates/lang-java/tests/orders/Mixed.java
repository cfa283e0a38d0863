// weak
import java.lang.invoke.*;
class Mixed {
    static int x, y;
    static final VarHandle X, Y;
    static { try { X = MethodHandles.lookup().findStaticVarHandle(Mixed.class, "x", int.class); Y = MethodHandles.lookup().findStaticVarHandle(Mixed.class, "y", int.class); } catch (Exception e) { throw new Error(e); } }
    public static void main(String[] a) throws Exception {
        int[] r = new int[2];
        Thread t = new Thread(() -> { X.setVolatile(1); r[0] = (int) Y.getVolatile(); });
        t.start();
        Y.setVolatile(1); r[1] = x;
        t.join();
        assert r[0] + r[1] > 0;
    }
}
