// A seeded Random gives the documented sequence.
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;

class C {
    public static void main(String[] args) {
        Random r = new Random(42);
        System.out.println(r.nextInt());
        System.out.println(new Random(42).nextInt(10) + " " + r.nextInt(10));
        System.out.println(r.nextDouble());
        System.out.println(r.nextLong());
        System.out.println(r.nextBoolean());
        System.out.println(r.nextGaussian());
        List<Integer> list = new ArrayList<>(List.of(1, 2, 3, 4, 5));
        Collections.shuffle(list, new Random(7));
        System.out.println(list);
    }
}
