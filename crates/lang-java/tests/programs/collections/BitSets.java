import java.util.BitSet;

class BitSets {
    public static void main(String[] args) {
        BitSet a = new BitSet();
        a.set(1);
        a.set(5, 9);
        a.set(100);
        a.flip(6);
        BitSet b = (BitSet) a.clone();
        b.clear(100);
        b.set(70);
        System.out.println(a + " " + a.cardinality() + " " + a.length() + " " + a.size() + " " + a.nextClearBit(7) + " " + a.previousSetBit(99) + " " + a.nextSetBit(101));
        BitSet c = (BitSet) a.clone();
        c.and(b);
        System.out.println(c + " " + a.intersects(b) + " " + a.equals(b) + " " + a.hashCode());
        c.xor(a);
        c.or(b);
        c.andNot(a);
        System.out.println(c + " " + c.get(70) + c.isEmpty() + " " + java.util.Arrays.toString(a.toLongArray()));
        System.out.println(a.stream().sum() + " " + BitSet.valueOf(new long[] {5}));
        try {
            a.set(-1);
        } catch (IndexOutOfBoundsException e) {
            System.out.println(e.getMessage());
        }
    }
}
