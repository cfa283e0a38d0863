import java.util.concurrent.ConcurrentHashMap;

/** The entry of a map is there before its count, and only the reader has the map in the end. */
class MapForgotten {
    public static void main(String[] args) {
        ConcurrentHashMap<String, Integer> map = new ConcurrentHashMap<>();
        new Thread(() -> {
            if (map.containsKey("a")) {
                System.out.println(map.size());
            }
        }).start();
        map.put("a", 1);
    }
}
