import java.util.ArrayList;
import java.util.List;

class Boxing {
    static Integer field;

    public static void main(String[] args) {
        List<Integer> list = new ArrayList<>();
        for (int i = 0; i < 5; i++) list.add(i * 100);
        list.remove(2);
        list.remove(Integer.valueOf(400));
        System.out.println(list);
        long sum = 0;
        for (int x : list) sum += x;
        System.out.println(sum);
        Integer a = 1000, b = 1000;
        System.out.println((a == b) + " " + a.equals(b) + " " + (a <= b && a >= b) + " " + (a.intValue() == b));
        Object o = 'c';
        System.out.println(o.getClass() + " " + (char) o + " " + ((Object) 1L).equals(1));
        Double d = 1.0 * 3;
        d++;
        d += a;
        System.out.println(d);
        try {
            int n = field;
            System.out.println(n);
        } catch (NullPointerException e) {
            System.out.println(e.getMessage());
        }
        System.out.println(Integer.valueOf(-128) == Integer.valueOf(-128));
        Short s = (short) 5;
        Byte y = (byte) 6;
        int mixed = s + y + 'a';
        System.out.println(mixed + " " + Boolean.logicalXor(true, false) + " " + Boolean.parseBoolean("TRUE"));
        System.out.println(Character.valueOf('x').compareTo('z') + " " + Integer.compare(3, 2) + " " + Long.signum(-5L) + " " + Double.valueOf("1e3"));
    }
}
