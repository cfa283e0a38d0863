package everypath;

import java.lang.annotation.Annotation;
import java.lang.reflect.Constructor;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;

/** Runs one test method of a class, as JUnit would: its program has the class and the method as arguments. */
public final class Tests {
    private Tests() {
    }

    /** Runs a test. */
    public static void main(String[] names) throws Throwable {
        Class<?> type = Class.forName(names[0]);
        Method test = null;
        for (Class<?> each : hierarchy(type)) {
            for (Method method : each.getDeclaredMethods()) {
                if (method.getName().equals(names[1]) && method.getParameterCount() == 0) {
                    test = method;
                }
            }
        }
        if (test == null) {
            throw new IllegalArgumentException("no test " + names[1] + " in " + names[0]);
        }
        List<Object> subjects = new ArrayList<>();
        make(type, subjects);
        for (Object subject : subjects) {
            each(subject, true, "BeforeAll", "BeforeClass");
        }
        for (Object subject : subjects) {
            each(subject, true, "BeforeEach", "Before");
        }
        run(test, subjects.get(subjects.size() - 1));
        Collections.reverse(subjects);
        for (Object subject : subjects) {
            each(subject, false, "AfterEach", "After");
        }
        for (Object subject : subjects) {
            each(subject, false, "AfterAll", "AfterClass");
        }
    }

    /** A class with those that it extends, the first of them first. */
    private static List<Class<?>> hierarchy(Class<?> type) {
        List<Class<?>> all = new ArrayList<>();
        for (Class<?> each = type; each != null && each != Object.class; each = each.getSuperclass()) {
            all.add(0, each);
        }
        return all;
    }

    /** Makes an object of a class, with those around it. */
    private static Object make(Class<?> type, List<Object> subjects) throws Throwable {
        Class<?> outer = type.getEnclosingClass();
        boolean inner = outer != null && !Modifier.isStatic(type.getModifiers());
        Constructor<?> constructor = inner ? type.getDeclaredConstructor(outer) : type.getDeclaredConstructor();
        constructor.setAccessible(true);
        Object subject;
        try {
            subject = inner ? constructor.newInstance(make(outer, subjects)) : constructor.newInstance();
        } catch (InvocationTargetException failure) {
            throw failure.getCause();
        }
        subjects.add(subject);
        return subject;
    }

    /** Calls the methods with one of these annotations; one that is overridden is not called by itself. */
    private static void each(Object subject, boolean before, String... annotations) throws Throwable {
        List<Class<?>> types = hierarchy(subject.getClass());
        List<Method> methods = new ArrayList<>();
        for (int index = 0; index < types.size(); index++) {
            for (Method method : types.get(index).getDeclaredMethods()) {
                if (annotation(method, annotations) != null && !isOverridden(method, types.subList(index + 1, types.size()))) {
                    methods.add(method);
                }
            }
        }
        if (!before) {
            Collections.reverse(methods);
        }
        for (Method method : methods) {
            call(method, subject);
        }
    }

    private static boolean isOverridden(Method method, List<Class<?>> below) {
        if (Modifier.isPrivate(method.getModifiers())) {
            return false;
        }
        for (Class<?> type : below) {
            for (Method other : type.getDeclaredMethods()) {
                if (other.getName().equals(method.getName()) && Arrays.equals(other.getParameterTypes(), method.getParameterTypes())) {
                    return true;
                }
            }
        }
        return false;
    }

    private static Annotation annotation(Method method, String... names) {
        for (Annotation each : method.getDeclaredAnnotations()) {
            if (Arrays.asList(names).contains(each.annotationType().getSimpleName())) {
                return each;
            }
        }
        return null;
    }

    /** Calls the test. What a test assumes and is not so rules the run out; JUnit 4 may expect an exception. */
    private static void run(Method test, Object subject) throws Throwable {
        Class<?> expected = expected(annotation(test, "Test"));
        try {
            call(test, subject);
        } catch (Throwable failure) {
            String name = failure.getClass().getSimpleName();
            if (name.equals("TestAbortedException") || name.equals("AssumptionViolatedException")) {
                Verify.assume(false);
            }
            if (expected != null && expected.isInstance(failure)) {
                return;
            }
            throw failure;
        }
        if (expected != null) {
            throw new AssertionError("expected " + expected.getName() + ", but nothing was thrown");
        }
    }

    private static Class<?> expected(Annotation annotation) throws Throwable {
        if (annotation == null) {
            return null;
        }
        for (Method method : annotation.annotationType().getDeclaredMethods()) {
            if (method.getName().equals("expected")) {
                Class<?> type = (Class<?>) method.invoke(annotation);
                return Throwable.class.isAssignableFrom(type) && !type.getSimpleName().equals("None") ? type : null;
            }
        }
        return null;
    }

    private static void call(Method method, Object subject) throws Throwable {
        method.setAccessible(true);
        try {
            method.invoke(subject);
        } catch (InvocationTargetException failure) {
            throw failure.getCause();
        }
    }
}
