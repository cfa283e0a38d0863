// Variable handles: bounds, final fields, wrong types, narrow arithmetic.
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.lang.invoke.WrongMethodTypeException;

class C {
    final int fixed = 1;
    short narrow = 32767;

    public static void main(String[] args) throws ReflectiveOperationException {
        VarHandle ints = MethodHandles.arrayElementVarHandle(int[].class);
        int[] a = new int[1];
        try {
            ints.set(a, 4, 1);
        } catch (ArrayIndexOutOfBoundsException e) {
            System.out.println(e.getMessage());
        }
        VarHandle fixed = MethodHandles.lookup().findVarHandle(C.class, "fixed", int.class);
        C c = new C();
        try {
            fixed.set(c, 2);
        } catch (UnsupportedOperationException e) {
            System.out.println(e.getClass().getName());
        }
        try {
            ints.set(a, 0, "a");
        } catch (WrongMethodTypeException e) {
            System.out.println(e.getClass().getName());
        }
        VarHandle narrow = MethodHandles.lookup().findVarHandle(C.class, "narrow", short.class);
        short before = (short) narrow.getAndAdd(c, (short) 1);
        System.out.println(before + " " + c.narrow);
    }
}
