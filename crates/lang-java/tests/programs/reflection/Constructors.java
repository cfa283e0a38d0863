import java.lang.reflect.Constructor;
import java.lang.reflect.InvocationTargetException;
import java.util.ArrayList;
import java.util.Arrays;

class Constructors {
    static class Thing {
        final String s;

        Thing() {
            this("default");
        }

        Thing(String s) {
            this.s = s;
            if (s == null) throw new IllegalArgumentException("null given");
        }
    }

    abstract static class Abstract { }

    class Inner { }

    public static void main(String[] args) throws Exception {
        System.out.println(Thing.class.getDeclaredConstructor().newInstance().s);
        Constructor<Thing> c = Thing.class.getDeclaredConstructor(String.class);
        System.out.println(c.newInstance("made").s + " " + c + " " + Arrays.toString(c.getParameterTypes()));
        try {
            c.newInstance((Object) null);
        } catch (InvocationTargetException e) {
            System.out.println(e.getCause().getMessage());
        }
        try {
            Abstract.class.getDeclaredConstructor().newInstance();
        } catch (InstantiationException e) {
            System.out.println(e);
        }
        try {
            Thing.class.getDeclaredConstructor(int.class);
        } catch (NoSuchMethodException e) {
            System.out.println(e.getMessage());
        }
        System.out.println(Inner.class.getDeclaredConstructors()[0] + " " + ArrayList.class.getConstructor(int.class).newInstance(5));
        System.out.println(Class.forName("java.lang.StringBuilder").getConstructor(String.class).newInstance("sb"));
    }
}
