import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.SplittableRandom;

class SeededRandom {
    public static void main(String[] args) {
        Random r = new Random(12345);
        for (int i = 0; i < 5; i++) {
            System.out.println(r.nextInt() + " " + r.nextInt(100) + " " + r.nextInt(64) + " " + r.nextLong() + " " + r.nextBoolean() + " " + r.nextFloat() + " " + r.nextDouble() + " " + r.nextGaussian());
        }
        byte[] bytes = new byte[7];
        r.nextBytes(bytes);
        System.out.println(java.util.Arrays.toString(bytes));
        System.out.println(r.ints(5, 0, 10).boxed().toList() + " " + r.doubles(2).sum());
        List<Integer> l = new ArrayList<>(List.of(1, 2, 3, 4, 5, 6, 7));
        Collections.shuffle(l, r);
        System.out.println(l);
        r.setSeed(1);
        System.out.println(r.nextInt(5, 8) + " " + r.nextLong(1000L));
        SplittableRandom s = new SplittableRandom(9);
        System.out.println(s.nextInt() + " " + s.split().nextLong() + " " + s.nextInt(10));
        try {
            r.nextInt(0);
        } catch (IllegalArgumentException e) {
            System.out.println(e.getMessage());
        }
    }
}
