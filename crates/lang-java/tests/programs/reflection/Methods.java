import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;

class Methods {
    public int add(int a, long b) {
        return (int) (a + b);
    }

    static String join(String sep, String... parts) {
        return String.join(sep, parts);
    }

    private void secret() {
        System.out.println("secret called");
    }

    void fail() throws Exception {
        throw new Exception("inside");
    }

    <T extends Comparable<T>> T max(List<T> list) {
        return null;
    }

    public static void main(String[] args) throws Exception {
        Method[] ms = Methods.class.getDeclaredMethods();
        Arrays.sort(ms, Comparator.comparing(Method::getName));
        for (Method m : ms) {
            if (!m.isSynthetic()) {
                System.out.println(m + " | " + m.toGenericString() + " | " + m.getParameterCount() + m.isVarArgs() + Arrays.toString(m.getExceptionTypes()) + m.getReturnType());
            }
        }
        Methods o = new Methods();
        Method add = Methods.class.getMethod("add", int.class, long.class);
        System.out.println(add.invoke(o, 3, 4L) + " " + add.invoke(o, (short) 1, 2));
        System.out.println(Methods.class.getDeclaredMethod("join", String.class, String[].class).invoke(null, "-", new String[] {"a", "b"}));
        Methods.class.getDeclaredMethod("secret").invoke(o);
        try {
            Methods.class.getDeclaredMethod("fail").invoke(o);
        } catch (InvocationTargetException e) {
            System.out.println(e + " " + e.getCause() + " " + e.getTargetException().getMessage());
        }
        try {
            add.invoke(o, "x", 1L);
        } catch (IllegalArgumentException e) {
            System.out.println(e.getMessage());
        }
        try {
            add.invoke(o, 1);
        } catch (IllegalArgumentException e) {
            System.out.println(e.getMessage());
        }
        try {
            add.invoke(null, 1, 1L);
        } catch (NullPointerException e) {
            System.out.println("null receiver");
        }
        try {
            Methods.class.getMethod("secret");
        } catch (NoSuchMethodException e) {
            System.out.println(e.getMessage());
        }
        System.out.println(String.class.getMethod("length").invoke("four") + " " + Object.class.getMethod("toString").invoke(List.of(1)) + " " + Math.class.getMethod("max", int.class, int.class).invoke(null, 3, 9));
    }
}
