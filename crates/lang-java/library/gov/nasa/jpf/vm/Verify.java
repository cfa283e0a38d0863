package gov.nasa.jpf.vm;

import java.util.BitSet;
import java.util.HashMap;
import java.util.Map;

/**
 * The names that drivers written for Java PathFinder call. The checker answers choices, assumptions and atomic regions itself; on an ordinary virtual
 * machine the same program runs with random choices.
 *
 * <p>Counters, bits, values and attributes belong to the search as a whole and not to one run. A checked program may set them; one that asks for them gets
 * no verdict, because the answer would depend on the order of the search. The same holds for what the other tool's configuration decides.
 */
public class Verify {
    public static final int NO_VALUE = -1;

    public static final int SEVERE = 1;
    public static final int WARNING = 2;
    public static final int INFO = 3;
    public static final int FINE = 4;
    public static final int FINER = 5;
    public static final int FINEST = 6;

    /** What an ordinary run keeps. */
    private static final class Ordinary {
        static final Map<Integer, Integer> COUNTERS = new HashMap<>();
        static final Map<Integer, BitSet> BITS = new HashMap<>();
        static final Map<String, Integer> VALUES = new HashMap<>();
    }

    /** Ends the path in a checked program: nobody provides it. */
    private static native void notKnownInOneRun(String what);

    private static boolean checked() {
        return everypath.Verify.isChecked();
    }

    private static void refuse(String what) {
        if (checked()) {
            notKnownInOneRun(what);
        }
    }

    // Choices.

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

    /** The value with any {@code count} of its lowest {@code length} bits flipped. */
    public static long getBitFlip(long value, int count, int length) {
        int from = 0;
        for (int left = count; left > 0; left--) {
            int bit = everypath.Verify.choose(from, length - left);
            value ^= 1L << bit;
            from = bit + 1;
        }
        return value;
    }

    public static long getBitFlip(long value, int count) {
        return getBitFlip(value, count, 64);
    }

    public static int getBitFlip(int value, int count) {
        return (int) getBitFlip((long) value, count, 32);
    }

    public static short getBitFlip(short value, int count) {
        return (short) getBitFlip((long) value, count, 16);
    }

    public static char getBitFlip(char value, int count) {
        return (char) getBitFlip((long) value, count, 16);
    }

    public static byte getBitFlip(byte value, int count) {
        return (byte) getBitFlip((long) value, count, 8);
    }

    /** Choices that the configuration of the other tool describes. */
    public static int getInt(String key) {
        refuse("getInt(key)");
        throw new UnsupportedOperationException(key);
    }

    public static double getDouble(String key) {
        refuse("getDouble(key)");
        throw new UnsupportedOperationException(key);
    }

    public static Object getObject(String key) {
        refuse("getObject(key)");
        throw new UnsupportedOperationException(key);
    }

    public static Object randomObject(String type) {
        refuse("randomObject");
        return null;
    }

    // Assumptions, assertions, steps.

    public static void ignoreIf(boolean condition) {
        everypath.Verify.assume(!condition);
    }

    /** The steps up to {@link #endAtomic} are one; who has to wait inside of it, waits for ever. */
    public static void beginAtomic() {
        everypath.Verify.beginAtomic();
    }

    public static void endAtomic() {
        everypath.Verify.endAtomic();
    }

    /** Other threads may run here, as at {@link Thread#yield}. */
    public static void breakTransition() {
        Thread.yield();
    }

    /** Other threads may run here, as at {@link Thread#yield}. */
    public static void breakTransition(String reason) {
        Thread.yield();
    }

    /** A choice that nothing depends on. */
    public static int breakTransition(String reason, int min, int max) {
        return everypath.Verify.choose(min, max);
    }

    public static void assertTrue(boolean condition) {
        everypath.Verify.assertTrue(condition, "Verify.assertTrue failed");
    }

    public static void assertTrue(String message, boolean condition) {
        everypath.Verify.assertTrue(condition, message);
    }

    // Hints and remarks: the answer of the check does not depend on them.

    public static void interesting(boolean condition) {
    }

    public static void boring(boolean condition) {
    }

    public static void addComment(String text) {
    }

    public static void atLabel(String label) {
    }

    public static void atLabel(int label) {
    }

    public static void instrumentPoint(String label) {
    }

    public static void instrumentPointDeep(String label) {
    }

    public static void instrumentPointDeepRecur(String label, int depth) {
    }

    public static void busyWait(long duration) {
    }

    public static void setHeuristicSearchValue(int value) {
    }

    public static void resetHeuristicSearchValue() {
    }

    public static void setShared(Object object, boolean shared) {
    }

    public static void freezeSharedness(Object object, boolean freeze) {
    }

    public static void storeTrace(String file, String comment) {
    }

    public static void storeTraceIf(boolean condition, String file, String comment) {
    }

    public static void printPathOutput(String text) {
    }

    public static void printPathOutput(boolean condition, String text) {
    }

    // Output.

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

    public static void threadPrint(String text) {
        System.out.print(Thread.currentThread().getName() + ": " + text);
    }

    public static void threadPrintln(String text) {
        System.out.println(Thread.currentThread().getName() + ": " + text);
    }

    public static void log(String logger, int level, String text) {
        System.err.println(text);
    }

    public static void log(String logger, int level, String text, String argument) {
        System.err.println(text);
    }

    public static void log(String logger, int level, String format, Object... arguments) {
        System.err.printf(format, arguments);
    }

    // Where the program runs.

    public static boolean isRunningInJPF() {
        return checked();
    }

    public static boolean vmIsMatchingStates() {
        return checked();
    }

    public static boolean isTraceReplay() {
        return false;
    }

    public static long currentTimeMillis() {
        return System.currentTimeMillis();
    }

    /** Whether the method that calls was called by one of the class, or of a subclass of it. */
    public static boolean isCalledFromClass(String name) {
        StackTraceElement[] trace = new Throwable().getStackTrace();
        if (trace.length < 3) {
            return false;
        }
        try {
            return Class.forName(name).isAssignableFrom(Class.forName(trace[2].getClassName()));
        } catch (ClassNotFoundException e) {
            return false;
        }
    }

    // What belongs to the search as a whole.

    public static int getCounter(int id) {
        refuse("getCounter");
        return Ordinary.COUNTERS.getOrDefault(id, 0);
    }

    public static void resetCounter(int id) {
        setCounter(id, 0);
    }

    public static void setCounter(int id, int value) {
        if (!checked()) {
            Ordinary.COUNTERS.put(id, value);
        }
    }

    /** The checker lets programs call this that do not look at the result. */
    public static int incrementCounter(int id) {
        refuse("the result of incrementCounter");
        return Ordinary.COUNTERS.merge(id, 1, Integer::sum);
    }

    public static void putValue(String key, int value) {
        if (!checked()) {
            Ordinary.VALUES.put(key, value);
        }
    }

    public static int getValue(String key) {
        refuse("getValue");
        return Ordinary.VALUES.getOrDefault(key, NO_VALUE);
    }

    public static void setBitInBitSet(int id, int bit, boolean value) {
        if (!checked()) {
            Ordinary.BITS.computeIfAbsent(id, unused -> new BitSet()).set(bit, value);
        }
    }

    public static boolean getBitInBitSet(int id, int bit) {
        refuse("getBitInBitSet");
        return Ordinary.BITS.computeIfAbsent(id, unused -> new BitSet()).get(bit);
    }

    public static int getHeuristicSearchValue() {
        refuse("getHeuristicSearchValue");
        return 0;
    }

    public static boolean isShared(Object object) {
        refuse("isShared");
        return false;
    }

    public static void terminateSearch() {
        refuse("terminateSearch");
        System.exit(0);
    }

    public static void storeTraceAndTerminate(String file, String comment) {
        terminateSearch();
    }

    public static void storeTraceAndTerminateIf(boolean condition, String file, String comment) {
        if (condition) {
            terminateSearch();
        }
    }

    public static void setProperties(String... properties) {
        refuse("setProperties");
    }

    public static String getProperty(String key) {
        refuse("getProperty");
        return System.getProperty(key);
    }

    public static <T> T createFromJSON(Class<T> type, String json) {
        refuse("createFromJSON");
        return null;
    }

    public static void writeObjectToFile(Object object, String file) {
        refuse("writeObjectToFile");
    }

    public static <T> T readObjectFromFile(Class<T> type, String file) {
        refuse("readObjectFromFile");
        return null;
    }

    // Attributes.

    public static void setFieldAttribute(Object object, String field, int value) {
    }

    public static int getFieldAttribute(Object object, String field) {
        refuse("attributes");
        return 0;
    }

    public static void addFieldAttribute(Object object, String field, int value) {
    }

    public static int[] getFieldAttributes(Object object, String field) {
        refuse("attributes");
        return new int[0];
    }

    public static void setLocalAttribute(String variable, int value) {
    }

    public static int getLocalAttribute(String variable) {
        refuse("attributes");
        return 0;
    }

    public static void addLocalAttribute(String variable, int value) {
    }

    public static int[] getLocalAttributes(String variable) {
        refuse("attributes");
        return new int[0];
    }

    public static void setElementAttribute(Object array, int index, int value) {
    }

    public static int getElementAttribute(Object array, int index) {
        refuse("attributes");
        return 0;
    }

    public static void addElementAttribute(Object array, int index, int value) {
    }

    public static int[] getElementAttributes(Object array, int index) {
        refuse("attributes");
        return new int[0];
    }

    public static void setObjectAttribute(Object object, int value) {
    }

    public static int getObjectAttribute(Object object) {
        refuse("attributes");
        return 0;
    }

    public static void addObjectAttribute(Object object, int value) {
    }

    public static int[] getObjectAttributes(Object object) {
        refuse("attributes");
        return new int[0];
    }
}
