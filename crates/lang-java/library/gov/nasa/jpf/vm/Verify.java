package gov.nasa.jpf.vm;

import java.util.concurrent.atomic.AtomicIntegerArray;

/**
 * The names that drivers written for Java PathFinder call, in terms of {@link everypath.Verify}.
 *
 * <p>What concerns the search as a whole and not one run (counters that survive backtracking, ending the search) is not modelled: a checked program that
 * calls it gets no verdict, because the call ends in a native method that nobody provides.
 */
public class Verify {
    private static final int COUNTERS = 64;

    private static final class Counters {
        static final AtomicIntegerArray ORDINARY = new AtomicIntegerArray(COUNTERS);
    }

    private static native int counterOfTheSearch(int id);

    private static native void endOfTheSearch();

    public static boolean getBoolean() {
        return everypath.Verify.chooseBool();
    }

    public static boolean getBoolean(boolean falseFirst) {
        return everypath.Verify.chooseBool();
    }

    public static boolean randomBool() {
        return everypath.Verify.chooseBool();
    }

    public static int random(int max) {
        return everypath.Verify.choose(0, max);
    }

    public static int getInt(int min, int max) {
        return everypath.Verify.choose(Math.min(min, max), Math.max(min, max));
    }

    public static int getIntFromList(int... values) {
        return everypath.Verify.choose(values);
    }

    public static long getLong(long min, long max) {
        return min + everypath.Verify.choose(0, Math.toIntExact(max - min));
    }

    public static long getLongFromList(long... values) {
        return everypath.Verify.choose(values);
    }

    public static float getFloatFromList(float... values) {
        return values[everypath.Verify.choose(0, values.length - 1)];
    }

    public static double getDoubleFromList(double... values) {
        return everypath.Verify.choose(values);
    }

    @SafeVarargs
    public static <T> T getObjectFromList(T... values) {
        return everypath.Verify.choose(values);
    }

    public static void ignoreIf(boolean condition) {
        everypath.Verify.assume(!condition);
    }

    public static void beginAtomic() {
        everypath.Verify.beginAtomic();
    }

    public static void endAtomic() {
        everypath.Verify.endAtomic();
    }

    public static void assertTrue(boolean condition) {
        everypath.Verify.assertTrue(condition);
    }

    public static void assertTrue(String message, boolean condition) {
        everypath.Verify.assertTrue(condition, message);
    }

    /** A hint for searches with a heuristic; the answer of the check does not depend on it. */
    public static void interesting(boolean condition) {
    }

    /** A hint for searches with a heuristic; the answer of the check does not depend on it. */
    public static void boring(boolean condition) {
    }

    /** Other threads may run here, as at {@link Thread#yield}. */
    public static void breakTransition() {
        Thread.yield();
    }

    /** Other threads may run here, as at {@link Thread#yield}. */
    public static void breakTransition(String reason) {
        Thread.yield();
    }

    /** A remark in the trace of the other tool; nothing here. */
    public static void addComment(String text) {
    }

    public static void print(String text) {
        System.out.print(text);
    }

    public static void print(String... texts) {
        for (String text : texts) {
            System.out.print(text);
        }
    }

    public static void print(String text, int value) {
        System.out.print(text + " : " + value);
    }

    public static void print(String text, boolean value) {
        System.out.print(text + " : " + value);
    }

    public static void println() {
        System.out.println();
    }

    public static void println(String text) {
        System.out.println(text);
    }

    public static boolean isRunningInJPF() {
        return everypath.Verify.isChecked();
    }

    public static boolean vmIsMatchingStates() {
        return everypath.Verify.isChecked();
    }

    public static boolean isTraceReplay() {
        return false;
    }

    public static int getCounter(int id) {
        return everypath.Verify.isChecked() ? counterOfTheSearch(id) : Counters.ORDINARY.get(id);
    }

    public static void resetCounter(int id) {
        setCounter(id, 0);
    }

    public static void setCounter(int id, int value) {
        if (everypath.Verify.isChecked()) {
            counterOfTheSearch(id);
        } else {
            Counters.ORDINARY.set(id, value);
        }
    }

    public static int incrementCounter(int id) {
        return everypath.Verify.isChecked() ? counterOfTheSearch(id) : Counters.ORDINARY.incrementAndGet(id);
    }

    public static void terminateSearch() {
        if (everypath.Verify.isChecked()) {
            endOfTheSearch();
        } else {
            System.exit(0);
        }
    }
}
