// weak
import java.lang.invoke.*;
class Dekker {
    static int x, y;
    static final VarHandle X, Y;
    static { try { X = MethodHandles.lookup().findStaticVarHandle(Dekker.class, "x", int.class); Y = MethodHandles.lookup().findStaticVarHandle(Dekker.class, "y", int.class); } catch (Exception e) { throw new Error(e); } }
    public static void main(String[] a) throws Exception {
        int[] r = new int[2];
        Thread t = new Thread(() -> { X.setRelease(1); r[0] = (int) Y.getAcquire(); });
        t.start();
        Y.setRelease(1); r[1] = (int) X.getAcquire();
        t.join();
        assert r[0] + r[1] > 0;
    }
}
