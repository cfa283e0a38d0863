import java.util.HashMap;
import java.util.Map;

class Knapsack {
    record Key(int item, int room) { }

    static int[] weights = {3, 4, 5, 9, 14};
    static int[] values = {3, 4, 4, 10, 15};
    static Map<Key, Integer> memo = new HashMap<>();

    static int best(int item, int room) {
        if (item == weights.length) return 0;
        Key k = new Key(item, room);
        Integer known = memo.get(k);
        if (known != null) return known;
        int b = best(item + 1, room);
        if (weights[item] <= room) b = Math.max(b, values[item] + best(item + 1, room - weights[item]));
        memo.put(k, b);
        return b;
    }

    static long[] cache = new long[100];

    static long paths(int n) {
        if (n < 2) return 1;
        if (cache[n] == 0) cache[n] = paths(n - 1) + paths(n - 2);
        return cache[n];
    }

    public static void main(String[] args) {
        for (int room = 5; room <= 25; room += 5) System.out.println(room + " " + best(0, room));
        System.out.println(memo.size() + " " + paths(80));
    }
}
