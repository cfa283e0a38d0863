import java.lang.reflect.Modifier;
import java.util.Arrays;

class ClassFacts {
    abstract static class Base<T> implements Comparable<T> { }

    static final class Leaf extends Base<String> implements Runnable, Cloneable {
        public int compareTo(String s) {
            return 0;
        }

        public void run() { }
    }

    interface Marker { }

    @interface Note { }

    static void facts(Class<?> c) {
        System.out.println(c.getName() + " | " + c.getSimpleName() + " | " + c.getTypeName() + " | " + c.getCanonicalName() + " | " + Modifier.toString(c.getModifiers())
            + " | " + c.getSuperclass() + " | " + Arrays.toString(c.getInterfaces()) + " | " + c.getEnclosingClass() + " | " + c.getPackageName()
            + " | " + c.isInterface() + c.isArray() + c.isPrimitive() + c.isEnum() + c.isAnnotation() + c.isAnonymousClass() + c.isLocalClass() + c.isMemberClass());
    }

    public static void main(String[] args) throws Exception {
        facts(ClassFacts.class);
        facts(Leaf.class);
        facts(Base.class);
        facts(Marker.class);
        facts(Note.class);
        facts(int.class);
        facts(int[][].class);
        facts(String[].class);
        facts(new Object() { }.getClass());
        class Local { }
        facts(Local.class);
        System.out.println(Runnable.class.isAssignableFrom(Leaf.class) + " " + Leaf.class.isInstance("x") + " " + int[].class.getComponentType() + " " + Class.forName("ClassFacts$Leaf") + " " + Class.forName("[I") + " " + Integer.TYPE);
        System.out.println(Leaf.class + " " + Marker.class + " " + void.class + " " + Leaf.class.toGenericString() + " " + Base.class.getTypeParameters().length);
        System.out.println(Leaf.class.getGenericSuperclass() + " " + Integer.class.getGenericInterfaces()[0]);
    }
}
