import java.lang.reflect.Field;
import java.lang.reflect.Modifier;

class Fields {
    public int open = 1;
    private String hidden = "h";
    static long count = 5;
    final double fixed;
    volatile boolean flag;
    protected int[] array = {1, 2};

    Fields(double d) {
        fixed = d;
    }

    public static void main(String[] args) throws Exception {
        Fields o = new Fields(2.5);
        for (Field f : Fields.class.getDeclaredFields()) {
            System.out.println(f + " | " + f.getName() + " " + f.getType() + " " + Modifier.toString(f.getModifiers()) + " " + (f.getType().isArray() ? "array" : f.get(o)));
        }
        Field h = Fields.class.getDeclaredField("hidden");
        h.setAccessible(true);
        h.set(o, "changed");
        System.out.println(o.hidden);
        Field c = Fields.class.getDeclaredField("count");
        c.setLong(null, 9);
        c.set(null, 11L);
        System.out.println(count + " " + c.getLong(null));
        Field open = Fields.class.getField("open");
        open.setInt(o, 77);
        System.out.println(open.getInt(o) + " " + open.getLong(o) + " " + open.getDouble(o));
        try {
            open.set(o, "text");
        } catch (IllegalArgumentException e) {
            System.out.println(e.getMessage());
        }
        try {
            Fields.class.getDeclaredField("none");
        } catch (NoSuchFieldException e) {
            System.out.println(e);
        }
        try {
            Fields.class.getDeclaredField("fixed").set(o, 1.0);
        } catch (IllegalAccessException e) {
            System.out.println(e.getMessage());
        }
        try {
            open.get("wrong");
        } catch (IllegalArgumentException e) {
            System.out.println(e.getMessage());
        }
        System.out.println(Fields.class.getFields().length + " " + Integer.class.getField("MAX_VALUE").get(null));
    }
}
