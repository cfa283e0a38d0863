import java.lang.reflect.RecordComponent;

class RecordReflection {
    record Box<T>(int size, T content, String... rest) { }

    public static void main(String[] args) throws Exception {
        Box<String> b = new Box<>(3, "c", "x", "y");
        for (RecordComponent c : Box.class.getRecordComponents()) {
            Object v = c.getAccessor().invoke(b);
            System.out.println(c.getName() + " " + c.getType() + " " + c.getGenericType() + " " + (v instanceof String[] a ? a.length : v));
        }
        System.out.println(Box.class.isRecord() + " " + String.class.isRecord() + " " + String.class.getRecordComponents() + " " + Box.class.getDeclaredConstructors()[0].isVarArgs());
        System.out.println(java.util.Arrays.toString(Box.class.getDeclaredConstructors()[0].getParameters()));
    }
}
