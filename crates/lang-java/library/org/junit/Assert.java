package org.junit;

import java.util.Objects;

/** The assertions that tests use most, for those that are compiled without JUnit 4. */
public class Assert {
    protected Assert() {
    }

    private static AssertionError wrong(String message, Object expected, Object actual) {
        String start = message == null || message.isEmpty() ? "" : message + " ";
        return new AssertionError(start + "expected:<" + expected + "> but was:<" + actual + ">");
    }

    public static void fail() {
        throw new AssertionError();
    }

    public static void fail(String message) {
        throw new AssertionError(message);
    }

    public static void assertTrue(boolean condition) {
        assertTrue(null, condition);
    }

    public static void assertTrue(String message, boolean condition) {
        if (!condition) {
            throw new AssertionError(message);
        }
    }

    public static void assertFalse(boolean condition) {
        assertTrue(null, !condition);
    }

    public static void assertFalse(String message, boolean condition) {
        assertTrue(message, !condition);
    }

    public static void assertNull(Object actual) {
        assertNull(null, actual);
    }

    public static void assertNull(String message, Object actual) {
        if (actual != null) {
            throw wrong(message, null, actual);
        }
    }

    public static void assertNotNull(Object actual) {
        assertNotNull(null, actual);
    }

    public static void assertNotNull(String message, Object actual) {
        assertTrue(message, actual != null);
    }

    public static void assertEquals(long expected, long actual) {
        assertEquals(null, expected, actual);
    }

    public static void assertEquals(String message, long expected, long actual) {
        if (expected != actual) {
            throw wrong(message, expected, actual);
        }
    }

    public static void assertEquals(double expected, double actual, double delta) {
        if (Double.compare(expected, actual) != 0 && !(Math.abs(expected - actual) <= delta)) {
            throw wrong(null, expected, actual);
        }
    }

    public static void assertEquals(Object expected, Object actual) {
        assertEquals(null, expected, actual);
    }

    public static void assertEquals(String message, Object expected, Object actual) {
        if (!Objects.equals(expected, actual)) {
            throw wrong(message, expected, actual);
        }
    }

    public static void assertNotEquals(Object unexpected, Object actual) {
        assertTrue("Values should be different. Actual: " + actual, !Objects.equals(unexpected, actual));
    }

    public static void assertSame(Object expected, Object actual) {
        if (expected != actual) {
            throw wrong("expected same", expected, actual);
        }
    }

    public static void assertNotSame(Object unexpected, Object actual) {
        assertTrue("expected not same", unexpected != actual);
    }
}
