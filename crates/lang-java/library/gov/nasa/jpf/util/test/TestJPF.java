package gov.nasa.jpf.util.test;

import java.lang.annotation.Annotation;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;

/**
 * Tests that were written for Java PathFinder: a class of them is a program. Named tests are run as they are, one of them in each run of the program; without
 * names those are run that expect no violation.
 */
public abstract class TestJPF {
    /** Whether tests were named, so that those that expect a violation are wanted too. */
    private static boolean named;

    protected TestJPF() {
    }

    protected TestJPF(String className) {
    }

    /** Runs tests of the class that the virtual machine was started with. */
    public static void main(String[] names) throws Throwable {
        String command = System.getProperty("sun.java.command");
        run(Class.forName(command.split(" ")[0]), names);
    }

    /** Runs tests of the class that calls. */
    protected static void runTestsOfThisClass(String[] names) {
        StackTraceElement caller = new Throwable().getStackTrace()[1];
        try {
            run(Class.forName(caller.getClassName()), names);
        } catch (RuntimeException | Error failure) {
            throw failure;
        } catch (Throwable failure) {
            TestJPF.<RuntimeException>rethrow(failure);
        }
    }

    @SuppressWarnings("unchecked")
    private static <T extends Throwable> void rethrow(Throwable failure) throws T {
        throw (T) failure;
    }

    private static void run(Class<?> type, String[] names) throws Throwable {
        List<Method> tests = new ArrayList<>();
        for (Method method : type.getMethods()) {
            boolean wanted = names.length == 0 ? has(method, "Test") && !has(method, "Ignore") : Arrays.asList(names).contains(method.getName());
            if (wanted && method.getParameterCount() == 0) {
                tests.add(method);
            }
        }
        if (tests.isEmpty()) {
            throw new IllegalArgumentException("no such test in " + type.getName());
        }
        tests.sort((a, b) -> a.getName().compareTo(b.getName()));
        named = names.length > 0;
        Method test = tests.size() == 1 ? tests.get(0) : everypath.Verify.choose(tests.toArray(new Method[0]));
        Object subject = type.getDeclaredConstructor().newInstance();
        each(type, subject, "BeforeClass");
        each(type, subject, "Before");
        call(test, subject);
        each(type, subject, "After");
        each(type, subject, "AfterClass");
    }

    private static boolean has(Method method, String annotation) {
        for (Annotation each : method.getAnnotations()) {
            if (each.annotationType().getSimpleName().equals(annotation)) {
                return true;
            }
        }
        return false;
    }

    private static void each(Class<?> type, Object subject, String annotation) throws Throwable {
        for (Method method : type.getMethods()) {
            if (has(method, annotation)) {
                call(method, subject);
            }
        }
    }

    private static void call(Method method, Object subject) throws Throwable {
        try {
            method.invoke(subject);
        } catch (InvocationTargetException failure) {
            throw failure.getCause();
        }
    }

    // What a test expects.

    /** Whether the program is checked. */
    public static boolean isJPFRun() {
        return everypath.Verify.isChecked();
    }

    public static boolean isJUnitRun() {
        return false;
    }

    public static boolean isRunTestRun() {
        return false;
    }

    protected boolean verifyNoPropertyViolation(String... options) {
        return true;
    }

    /** A test that expects a violation is run only if it was named: its violation is the answer. */
    private static boolean violation() {
        everypath.Verify.assume(named);
        return named;
    }

    protected boolean verifyAssertionError(String... options) {
        return violation();
    }

    protected boolean verifyAssertionErrorDetails(String details, String... options) {
        return violation();
    }

    protected boolean verifyUnhandledException(String type, String... options) {
        return violation();
    }

    protected boolean verifyUnhandledExceptionDetails(String type, String details, String... options) {
        return violation();
    }

    protected boolean verifyDeadlock(String... options) {
        return violation();
    }

    // Assertions.

    public static void fail() {
        throw new AssertionError();
    }

    public static void fail(String message) {
        throw new AssertionError(message);
    }

    public static void assertTrue(String message, boolean condition) {
        if (!condition) {
            fail(message);
        }
    }

    public static void assertTrue(boolean condition) {
        if (!condition) {
            fail();
        }
    }

    public static void assertFalse(String message, boolean condition) {
        assertTrue(message, !condition);
    }

    public static void assertFalse(boolean condition) {
        assertTrue(!condition);
    }

    public static void assertNull(Object object) {
        assertTrue(object == null);
    }

    public static void assertNull(String message, Object object) {
        assertTrue(message, object == null);
    }

    public static void assertNotNull(Object object) {
        assertTrue(object != null);
    }

    public static void assertNotNull(String message, Object object) {
        assertTrue(message, object != null);
    }

    public static void assertSame(Object expected, Object actual) {
        assertTrue("expected same: " + expected + ", got: " + actual, expected == actual);
    }

    public static void assertSame(String message, Object expected, Object actual) {
        assertTrue(message, expected == actual);
    }

    public static void assertNotSame(Object unexpected, Object actual) {
        assertTrue(unexpected != actual);
    }

    public static void assertEquals(Object expected, Object actual) {
        assertTrue("expected: " + expected + ", got: " + actual, Objects.equals(expected, actual));
    }

    public static void assertEquals(String message, Object expected, Object actual) {
        assertTrue(message, Objects.equals(expected, actual));
    }

    public static void assertEquals(int expected, int actual) {
        assertTrue("expected: " + expected + ", got: " + actual, expected == actual);
    }

    public static void assertEquals(String message, int expected, int actual) {
        assertTrue(message, expected == actual);
    }

    public static void assertEquals(long expected, long actual) {
        assertTrue("expected: " + expected + ", got: " + actual, expected == actual);
    }

    public static void assertEquals(double expected, double actual, double delta) {
        assertTrue("expected: " + expected + ", got: " + actual, Math.abs(expected - actual) <= delta);
    }

    public static void assertEquals(String message, double expected, double actual, double delta) {
        assertTrue(message, Math.abs(expected - actual) <= delta);
    }

    public static void assertEquals(float expected, float actual, float delta) {
        assertTrue("expected: " + expected + ", got: " + actual, Math.abs(expected - actual) <= delta);
    }

    public static void assertArrayEquals(byte[] expected, byte[] actual) {
        assertTrue(Arrays.equals(expected, actual));
    }
}
