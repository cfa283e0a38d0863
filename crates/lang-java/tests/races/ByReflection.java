// race: int[]
import java.lang.reflect.Array;

class ByReflection {
    static final int[] shared = new int[1];

    public static void main(String[] args) throws Exception {
        Thread t = new Thread(() -> Array.setInt(shared, 0, 1));
        t.start();
        System.out.println(Array.getInt(shared, 0));
        t.join();
    }
}
