// Map.of with a key given twice.
import java.util.Map;

class C {
    public static void main(String[] args) {
        try {
            System.out.println(Map.of("a", 1, "a", 2));
        } catch (IllegalArgumentException e) {
            System.out.println(e.getMessage());
        }
    }
}
