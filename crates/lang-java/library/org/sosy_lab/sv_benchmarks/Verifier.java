package org.sosy_lab.sv_benchmarks;

import java.util.Random;

/**
 * The names that the programs of the software verification competition call. A value that may be any of its type is refused by the checker, which tries
 * values one by one: such a program gets no verdict. Choices of a truth value or of a byte are tried all.
 */
public final class Verifier {
    private Verifier() {
    }

    /** The random numbers of an ordinary run. */
    private static final class Dice {
        static final Random RANDOM = new Random();
    }

    /** Ends the path in a checked program: nobody provides it. */
    private static native void tooManyValues(String type);

    private static void refuse(String type) {
        if (everypath.Verify.isChecked()) {
            tooManyValues(type);
        }
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
        refuse("int");
        return Dice.RANDOM.nextInt();
    }

    public static long nondetLong() {
        refuse("long");
        return Dice.RANDOM.nextLong();
    }

    public static float nondetFloat() {
        refuse("float");
        return Float.intBitsToFloat(Dice.RANDOM.nextInt());
    }

    public static double nondetDouble() {
        refuse("double");
        return Double.longBitsToDouble(Dice.RANDOM.nextLong());
    }

    public static String nondetString() {
        refuse("String");
        return "";
    }
}
