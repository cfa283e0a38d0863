import java.lang.reflect.Field;
import java.lang.reflect.Method;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.Type;
import java.lang.reflect.TypeVariable;
import java.util.List;
import java.util.Map;

class GenericTypes<A, B extends Number & Comparable<B>> {
    Map<String, List<? extends A>> field;
    List<? super Integer>[] array;

    <X extends Exception> B method(A a, X x) throws X {
        return null;
    }

    public static void main(String[] args) throws Exception {
        Field f = GenericTypes.class.getDeclaredField("field");
        ParameterizedType p = (ParameterizedType) f.getGenericType();
        System.out.println(p + " | " + p.getRawType() + " | " + p.getActualTypeArguments()[1]);
        System.out.println(GenericTypes.class.getDeclaredField("array").getGenericType());
        Method m = GenericTypes.class.getDeclaredMethod("method", Object.class, Exception.class);
        System.out.println(m.toGenericString() + " | " + m.getGenericReturnType());
        for (TypeVariable<?> v : GenericTypes.class.getTypeParameters()) {
            StringBuilder b = new StringBuilder(v.getName());
            for (Type t : v.getBounds()) b.append(" : ").append(t);
            System.out.println(b);
        }
        Type s = new java.util.ArrayList<String>() { }.getClass().getGenericSuperclass();
        System.out.println(s);
    }
}
