import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/*
 * SharedMap with a map that is made for several threads.
 *
 * Expected: holds
 */
class SharedMapFixed {
    static final Map<String, Integer> STOCK = new ConcurrentHashMap<>();

    public static void main(String[] args) throws InterruptedException {
        Thread other = new Thread(() -> STOCK.put("pears", 2));
        other.start();
        STOCK.put("plums", 3);
        other.join();
        assert STOCK.size() == 2;
    }
}
