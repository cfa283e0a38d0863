import java.lang.invoke.MethodHandles;

/** What makes the constants of the class Constants. */
public class ConstantsBootstraps {
    static int made;

    public static String describe(MethodHandles.Lookup lookup, String name, Class<?> type) {
        return name + " " + type + " " + lookup.lookupClass();
    }

    public static Object fresh(MethodHandles.Lookup lookup, String name, Class<?> type, int number, String... rest) {
        System.out.println("makes " + name + " " + number + " " + String.join(",", rest) + " " + ++made);
        return new Object();
    }

    public static byte number(MethodHandles.Lookup lookup, String name, Class<?> type, int number) {
        return (byte) number;
    }

    public static char letter(MethodHandles.Lookup lookup, String name, Class<?> type) {
        return name.charAt(0);
    }

    public static int failing(MethodHandles.Lookup lookup, String name, Class<?> type) throws Exception {
        throw new java.io.IOException("no " + name);
    }

    public static void same(Object one, Object other) {
        System.out.println("same " + (one == other));
    }
}
