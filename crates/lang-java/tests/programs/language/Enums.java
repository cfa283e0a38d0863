import java.util.Arrays;
import java.util.EnumMap;
import java.util.EnumSet;

class Enums {
    enum Op {
        ADD("+") {
            int apply(int a, int b) {
                return a + b;
            }
        },
        MUL("*") {
            int apply(int a, int b) {
                return a * b;
            }
        };

        final String sign;

        Op(String sign) {
            this.sign = sign;
        }

        abstract int apply(int a, int b);
    }

    enum Level { LOW, MID, HIGH }

    public static void main(String[] args) {
        for (Op op : Op.values()) {
            System.out.println(op + " " + op.sign + " " + op.apply(3, 4) + " " + op.getClass() + " " + op.getDeclaringClass());
        }
        System.out.println(Arrays.toString(Level.values()) + Level.valueOf("MID").ordinal() + Level.LOW.compareTo(Level.HIGH));
        EnumSet<Level> set = EnumSet.of(Level.HIGH, Level.LOW);
        System.out.println(set + " " + EnumSet.complementOf(set) + " " + EnumSet.range(Level.LOW, Level.MID) + EnumSet.noneOf(Level.class));
        EnumMap<Level, String> map = new EnumMap<>(Level.class);
        map.put(Level.HIGH, "h");
        map.put(Level.LOW, null);
        System.out.println(map + " " + map.containsKey(Level.MID) + map.keySet() + map.values());
        try {
            Enum.valueOf(Level.class, "NONE");
        } catch (IllegalArgumentException e) {
            System.out.println(e.getMessage());
        }
        System.out.println(Level.valueOf("LOW") == Level.LOW);
        System.out.println(Level.class.isEnum() + " " + Op.ADD.getClass().isEnum() + " " + Op.ADD.getDeclaringClass().getSimpleName());
    }
}
