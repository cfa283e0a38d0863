// Unboxing what a map does not contain.
import java.util.HashMap;
import java.util.Map;

class C {
    public static void main(String[] args) {
        Map<String, Integer> map = new HashMap<>();
        try {
            int v = map.get("a");
            System.out.println(v);
        } catch (NullPointerException e) {
            System.out.println(e.getMessage());
        }
    }
}
