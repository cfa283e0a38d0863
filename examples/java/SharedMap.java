import java.util.HashMap;
import java.util.Map;

/*
 * Two threads put into a HashMap, which is not made for that: an entry can get lost.
 *
 * Expected: violated (assertion)
 * Races: java.util.HashMap
 */
class SharedMap {
    static final Map<String, Integer> STOCK = new HashMap<>();

    public static void main(String[] args) throws InterruptedException {
        Thread other = new Thread(() -> STOCK.put("pears", 2));
        other.start();
        STOCK.put("plums", 3);
        other.join();
        assert STOCK.size() == 2;
    }
}
