package org.junit.jupiter.api;

import java.util.Arrays;
import java.util.Objects;
import java.util.function.Supplier;

/** The assertions that tests use most, for those that are compiled without JUnit 5. */
public final class Assertions {
    private Assertions() {
    }

    /** What may throw. */
    public interface Executable {
        void execute() throws Throwable;
    }

    public static <V> V fail() {
        throw new AssertionError();
    }

    public static <V> V fail(String message) {
        throw new AssertionError(message);
    }

    private static AssertionError wrong(Object expected, Object actual, String message) {
        String start = message == null ? "" : message + " ==> ";
        return new AssertionError(start + "expected: <" + expected + "> but was: <" + actual + ">");
    }

    public static void assertTrue(boolean condition) {
        assertTrue(condition, (String) null);
    }

    public static void assertTrue(boolean condition, String message) {
        if (!condition) {
            throw wrong(true, false, message);
        }
    }

    public static void assertTrue(boolean condition, Supplier<String> message) {
        if (!condition) {
            throw wrong(true, false, message.get());
        }
    }

    public static void assertFalse(boolean condition) {
        assertFalse(condition, null);
    }

    public static void assertFalse(boolean condition, String message) {
        if (condition) {
            throw wrong(false, true, message);
        }
    }

    public static void assertNull(Object actual) {
        assertNull(actual, null);
    }

    public static void assertNull(Object actual, String message) {
        if (actual != null) {
            throw wrong(null, actual, message);
        }
    }

    public static void assertNotNull(Object actual) {
        assertNotNull(actual, null);
    }

    public static void assertNotNull(Object actual, String message) {
        if (actual == null) {
            throw new AssertionError((message == null ? "" : message + " ==> ") + "expected: not <null>");
        }
    }

    public static void assertEquals(long expected, long actual) {
        assertEquals(expected, actual, null);
    }

    public static void assertEquals(long expected, long actual, String message) {
        if (expected != actual) {
            throw wrong(expected, actual, message);
        }
    }

    public static void assertEquals(double expected, double actual) {
        if (Double.compare(expected, actual) != 0) {
            throw wrong(expected, actual, null);
        }
    }

    public static void assertEquals(double expected, double actual, double delta) {
        if (Double.compare(expected, actual) != 0 && !(Math.abs(expected - actual) <= delta)) {
            throw wrong(expected, actual, null);
        }
    }

    public static void assertEquals(Object expected, Object actual) {
        assertEquals(expected, actual, null);
    }

    public static void assertEquals(Object expected, Object actual, String message) {
        if (!Objects.equals(expected, actual)) {
            throw wrong(expected, actual, message);
        }
    }

    public static void assertNotEquals(Object unexpected, Object actual) {
        assertNotEquals(unexpected, actual, null);
    }

    public static void assertNotEquals(Object unexpected, Object actual, String message) {
        if (Objects.equals(unexpected, actual)) {
            throw new AssertionError((message == null ? "" : message + " ==> ") + "expected: not equal but was: <" + actual + ">");
        }
    }

    public static void assertSame(Object expected, Object actual) {
        if (expected != actual) {
            throw wrong(expected, actual, null);
        }
    }

    public static void assertNotSame(Object unexpected, Object actual) {
        if (unexpected == actual) {
            throw new AssertionError("expected: not same but was: <" + actual + ">");
        }
    }

    public static void assertArrayEquals(int[] expected, int[] actual) {
        if (!Arrays.equals(expected, actual)) {
            throw wrong(Arrays.toString(expected), Arrays.toString(actual), null);
        }
    }

    public static void assertArrayEquals(Object[] expected, Object[] actual) {
        if (!Arrays.deepEquals(expected, actual)) {
            throw wrong(Arrays.deepToString(expected), Arrays.deepToString(actual), null);
        }
    }

    public static void assertIterableEquals(Iterable<?> expected, Iterable<?> actual) {
        java.util.Iterator<?> one = expected.iterator();
        java.util.Iterator<?> other = actual.iterator();
        while (one.hasNext() && other.hasNext()) {
            assertEquals(one.next(), other.next());
        }
        if (one.hasNext() || other.hasNext()) {
            throw wrong(expected, actual, null);
        }
    }

    public static <T extends Throwable> T assertThrows(Class<T> expected, Executable code) {
        return assertThrows(expected, code, null);
    }

    public static <T extends Throwable> T assertThrows(Class<T> expected, Executable code, String message) {
        String start = message == null ? "" : message + " ==> ";
        try {
            code.execute();
        } catch (Throwable actual) {
            if (expected.isInstance(actual)) {
                return expected.cast(actual);
            }
            throw new AssertionError(start + "Unexpected exception type thrown, expected: <" + expected.getName() + ">", actual);
        }
        throw new AssertionError(start + "Expected " + expected.getName() + " to be thrown, but nothing was thrown.");
    }

    public static void assertDoesNotThrow(Executable code) {
        try {
            code.execute();
        } catch (Throwable actual) {
            throw new AssertionError("Unexpected exception thrown: " + actual, actual);
        }
    }

    public static void assertAll(Executable... all) {
        Throwable first = null;
        for (Executable each : all) {
            try {
                each.execute();
            } catch (Throwable failure) {
                first = first == null ? failure : first;
            }
        }
        if (first != null) {
            throw new AssertionError(first.getMessage(), first);
        }
    }
}
