package org.sosy_lab.sv_benchmarks;

import java.util.Random;

/**
 * The names that the programs of the software verification competition call. Choices of a truth value, a byte, a short or a character are tried all. Of
 * values that may be any of a larger type the checker tries those that are likely to matter: that finds errors and proves nothing.
 */
public final class Verifier {
    private Verifier() {
    }

    /** The random numbers of an ordinary run. */
    private static final class Dice {
        static final Random RANDOM = new Random();
    }

    public static void assume(boolean condition) {
        everypath.Verify.assume(condition);
    }

    public static boolean nondetBoolean() {
        return everypath.Verify.chooseBool();
    }

    public static byte nondetByte() {
        return (byte) everypath.Verify.choose(Byte.MIN_VALUE, Byte.MAX_VALUE);
    }

    public static char nondetChar() {
        return (char) everypath.Verify.choose(Character.MIN_VALUE, Character.MAX_VALUE);
    }

    public static short nondetShort() {
        return (short) everypath.Verify.choose(Short.MIN_VALUE, Short.MAX_VALUE);
    }

    public static int nondetInt() {
        return Dice.RANDOM.nextInt();
    }

    public static long nondetLong() {
        return Dice.RANDOM.nextLong();
    }

    public static float nondetFloat() {
        return Float.intBitsToFloat(Dice.RANDOM.nextInt());
    }

    public static double nondetDouble() {
        return Double.longBitsToDouble(Dice.RANDOM.nextLong());
    }

    public static String nondetString() {
        return "";
    }
}
