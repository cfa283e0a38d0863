import java.util.ArrayList;
import java.util.List;
import java.util.Spliterator;
import java.util.stream.StreamSupport;

class Spliterators {
    public static void main(String[] args) {
        List<Integer> l = new ArrayList<>();
        for (int i = 0; i < 10; i++) l.add(i);
        Spliterator<Integer> s = l.spliterator();
        System.out.println(s.estimateSize() + " " + s.hasCharacteristics(Spliterator.SIZED));
        s.tryAdvance(x -> System.out.println("first " + x));
        Spliterator<Integer> half = s.trySplit();
        System.out.println(half.estimateSize() + " " + s.estimateSize());
        StringBuilder b = new StringBuilder();
        half.forEachRemaining(b::append);
        b.append('|');
        s.forEachRemaining(b::append);
        System.out.println(b);
        System.out.println(StreamSupport.stream(l.spliterator(), false).count());
        System.out.println("abc".chars().spliterator().estimateSize());
    }
}
