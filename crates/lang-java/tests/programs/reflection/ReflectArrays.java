import java.lang.reflect.Array;

class ReflectArrays {
    public static void main(String[] args) {
        Object a = Array.newInstance(int.class, 3);
        Array.setInt(a, 0, 5);
        Array.set(a, 1, 6);
        System.out.println(Array.getLength(a) + " " + Array.get(a, 0) + " " + Array.getLong(a, 1) + " " + a.getClass());
        Object m = Array.newInstance(String.class, 2, 2);
        ((String[][]) m)[1][0] = "x";
        System.out.println(Array.get(Array.get(m, 1), 0) + " " + m.getClass().getSimpleName());
        try {
            Array.set(a, 0, "s");
        } catch (IllegalArgumentException e) {
            System.out.println(e.getMessage());
        }
        try {
            Array.get(a, 7);
        } catch (ArrayIndexOutOfBoundsException e) {
            System.out.println(e.getMessage());
        }
        try {
            Array.getLength("s");
        } catch (IllegalArgumentException e) {
            System.out.println(e.getMessage());
        }
        try {
            Array.newInstance(void.class, 1);
        } catch (IllegalArgumentException e) {
            System.out.println("void refused");
        }
        try {
            Array.newInstance(int.class, -1);
        } catch (NegativeArraySizeException e) {
            System.out.println(e.getMessage());
        }
    }
}
