// Three lists, three texts for a bad index.
import java.util.ArrayList;
import java.util.LinkedList;
import java.util.List;

class C {
    static void get(List<?> list, int i) {
        try {
            System.out.println(list.get(i));
        } catch (IndexOutOfBoundsException e) {
            System.out.println(e.getMessage());
        }
    }

    public static void main(String[] args) {
        get(new ArrayList<>(List.of(1)), 3);
        get(List.of(1), 3);
        get(new LinkedList<>(), 0);
    }
}
