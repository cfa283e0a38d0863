import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;

class LibraryMessages {
    interface Action {
        Object run() throws Exception;
    }

    static void attempt(Action a) {
        try {
            System.out.println(a.run());
        } catch (Exception e) {
            System.out.println(e);
        }
    }

    public static void main(String[] args) {
        attempt(() -> new ArrayList<>(-1));
        attempt(() -> new ArrayList<>(List.of(1, 2)).subList(2, 1));
        attempt(() -> List.of(1).remove(0));
        attempt(() -> Collections.unmodifiableList(List.of(1)).set(0, 2));
        attempt(() -> Arrays.asList(1, 2).add(3));
        attempt(() -> new ArrayDeque<>().pop());
        attempt(() -> new ArrayDeque<>().add(null));
        attempt(() -> new TreeMap<String, Integer>().firstKey());
        attempt(() -> new TreeMap<Object, Object>().put(null, 1));
        attempt(() -> Optional.of((Object) null));
        attempt(() -> Long.parseLong(""));
        attempt(() -> Integer.parseInt("99999999999"));
        attempt(() -> Integer.parseInt("12", 99));
        attempt(() -> Double.parseDouble("1.x"));
        attempt(() -> Integer.decode("0x"));
        attempt(() -> BigInteger.ONE.divide(BigInteger.ZERO));
        attempt(() -> BigDecimal.ONE.divide(new BigDecimal(3)));
        attempt(() -> new BigInteger("1-2"));
        attempt(() -> "abc".substring(4));
        attempt(() -> "abc".repeat(-1));
        attempt(() -> new StringBuilder("x").deleteCharAt(3));
        attempt(() -> new StringBuilder("x").insert(9, "y"));
        attempt(() -> Collections.emptyIterator().next());
        attempt(() -> {
            Iterator<Integer> i = new ArrayList<>(List.of(1)).iterator();
            i.remove();
            return i;
        });
        attempt(() -> Math.toIntExact(1L << 40));
        attempt(() -> Math.floorMod(1, 0));
        attempt(() -> Character.toChars(-1));
        attempt(() -> Class.forName("no.such.Thing"));
        attempt(() -> Arrays.copyOf(new int[1], -2));
        attempt(() -> Arrays.copyOfRange(new int[3], 2, 1));
        attempt(() -> List.copyOf(Arrays.asList(1, null)));
        attempt(() -> Collections.max(List.<Integer>of()));
        attempt(() -> "x".compareTo(null));
    }
}
