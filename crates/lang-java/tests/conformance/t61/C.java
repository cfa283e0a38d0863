// Removing from a list while iterating over it.
import java.util.ArrayList;
import java.util.ConcurrentModificationException;
import java.util.List;

class C {
    static void remove(int which) {
        List<Integer> list = new ArrayList<>(List.of(1, 2, 3));
        try {
            for (Integer x : list) {
                if (x == which) {
                    list.remove(x);
                }
            }
            System.out.println(list);
        } catch (ConcurrentModificationException e) {
            System.out.println(e + " " + list);
        }
    }

    public static void main(String[] args) {
        remove(1);
        remove(2);
    }
}
