import java.lang.annotation.ElementType;
import java.lang.annotation.Inherited;
import java.lang.annotation.Repeatable;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import java.util.Arrays;

class Annotations {
    enum Level { LOW, HIGH }

    @Retention(RetentionPolicy.RUNTIME)
    @Inherited
    @interface Info {
        String value() default "none";

        int[] numbers() default {1, 2};

        Level level() default Level.LOW;

        Class<?> type() default Object.class;

        Tag tag() default @Tag("inner");
    }

    @Retention(RetentionPolicy.RUNTIME)
    @Repeatable(Tags.class)
    @interface Tag {
        String value();
    }

    @Retention(RetentionPolicy.RUNTIME)
    @Target({ElementType.TYPE, ElementType.METHOD})
    @interface Tags {
        Tag[] value();
    }

    @Retention(RetentionPolicy.SOURCE)
    @interface Gone { }

    @Info(value = "base", level = Level.HIGH, numbers = 7)
    @Gone
    static class Base {
        @Deprecated
        int field;

        @Info
        @Tag("a")
        @Tag("b")
        void method(@Info("param") int p) { }
    }

    static class Derived extends Base { }

    public static void main(String[] args) throws Exception {
        Info i = Base.class.getAnnotation(Info.class);
        System.out.println(i.value() + " " + Arrays.toString(i.numbers()) + " " + i.level() + " " + i.type() + " " + i.tag().value() + " " + i.annotationType());
        System.out.println(Derived.class.isAnnotationPresent(Info.class) + " " + Derived.class.getDeclaredAnnotations().length + " " + Base.class.getAnnotations().length);
        var m = Base.class.getDeclaredMethod("method", int.class);
        System.out.println(m.getAnnotationsByType(Tag.class).length + " " + m.getAnnotation(Tags.class).value()[1].value() + " " + m.getAnnotation(Info.class).value());
        System.out.println(((Info) m.getParameterAnnotations()[0][0]).value() + " " + Base.class.getDeclaredField("field").isAnnotationPresent(Deprecated.class));
        System.out.println(i.equals(Derived.class.getAnnotation(Info.class)) + " " + i.tag());
        System.out.println(Info.class.getMethod("value").getDefaultValue() + " " + Base.class.getAnnotation(Tag.class));
    }
}
