package everypath;

import java.util.Random;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Choices, assumptions and atomic regions for programs that are checked.
 *
 * <p>The checker tries every value of every choice. On an ordinary virtual machine the same program runs with random choices, so that a driver is also a
 * test; give {@code -Deverypath.seed=N} to repeat a run.
 *
 * <p>Five methods are the whole interface to the checker, which replaces their bodies: {@link #choose(int, int)}, {@link #assume}, {@link #beginAtomic},
 * {@link #endAtomic} and {@link #isChecked}.
 */
public final class Verify {
    private static final ReentrantLock REGION = new ReentrantLock();

    private Verify() {
    }

    /** The random numbers of an ordinary run; a class of its own, so that a checked program never makes them. */
    private static final class Dice {
        static final Random RANDOM = Long.getLong("everypath.seed") == null ? new Random() : new Random(Long.getLong("everypath.seed"));
    }

    /** Any number from {@code low} to {@code high}, both included. */
    public static int choose(int low, int high) {
        if (low > high) {
            throw new IllegalArgumentException("no number lies between " + low + " and " + high);
        }
        long span = (long) high - low + 1;
        synchronized (Dice.RANDOM) {
            return (int) (low + Math.floorMod(Dice.RANDOM.nextLong(), span));
        }
    }

    /** Either value. */
    public static boolean chooseBool() {
        return choose(0, 1) == 1;
    }

    /** Any element of {@code options}. */
    public static <T> T choose(T[] options) {
        return options[choose(0, options.length - 1)];
    }

    /** Any element of {@code options}. */
    public static int choose(int[] options) {
        return options[choose(0, options.length - 1)];
    }

    /** Any element of {@code options}. */
    public static long choose(long[] options) {
        return options[choose(0, options.length - 1)];
    }

    /** Any element of {@code options}. */
    public static double choose(double[] options) {
        return options[choose(0, options.length - 1)];
    }

    /** Leaves out every run in which {@code condition} is false here. An ordinary run ends. */
    public static void assume(boolean condition) {
        if (!condition) {
            System.err.println("assumption does not hold: this run does not count");
            Runtime.getRuntime().halt(0);
        }
    }

    /** What follows, up to {@link #endAtomic}, is one step. In an ordinary run the regions exclude each other. */
    public static void beginAtomic() {
        REGION.lock();
    }

    /** Ends the region that {@link #beginAtomic} began. */
    public static void endAtomic() {
        REGION.unlock();
    }

    /** Runs {@code body} as one step. */
    public static void atomic(Runnable body) {
        beginAtomic();
        try {
            body.run();
        } finally {
            endAtomic();
        }
    }

    /** Fails with an {@link AssertionError} unless {@code condition} holds, whether assertions are enabled or not. */
    public static void assertTrue(boolean condition) {
        if (!condition) {
            throw new AssertionError();
        }
    }

    /** Fails with an {@link AssertionError} that says {@code message} unless {@code condition} holds. */
    public static void assertTrue(boolean condition, String message) {
        if (!condition) {
            throw new AssertionError(message);
        }
    }

    /** Whether the checker runs the program. */
    public static boolean isChecked() {
        return false;
    }
}
