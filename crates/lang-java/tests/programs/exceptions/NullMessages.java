import java.util.List;
import java.util.Map;

class NullMessages {
    int[] numbers;
    NullMessages next;
    static NullMessages root = new NullMessages();
    String[] names = new String[2];

    NullMessages next() {
        return next;
    }

    interface Action {
        void run() throws Exception;
    }

    static void attempt(Action a) {
        try {
            a.run();
            System.out.println("fine");
        } catch (Exception e) {
            System.out.println(e.getMessage());
        }
    }

    public static void main(String[] args) {
        attempt(() -> root.next.next = null);
        attempt(() -> root.next().next().numbers[0]++);
        attempt(() -> System.out.println(root.numbers[2]));
        attempt(() -> System.out.println(root.names[1].length()));
        attempt(() -> System.out.println(root.next.names.length));
        attempt(() -> root.next().names[0] = "x");
        attempt(() -> new NullMessages().next.numbers = null);
        attempt(() -> List.of(1, null));
        attempt(() -> Map.of("a", null));
        attempt(() -> { throw (RuntimeException) (Object) null; });
        attempt(() -> {
            Object o = args.length == 0 ? null : "";
            synchronized (o) {
                System.out.println("in");
            }
        });
        attempt(() -> {
            long[][] grid = new long[3][];
            grid[1 + args.length][0] = 4;
        });
        attempt(() -> {
            double d = (Double) (Object) null;
            System.out.println(d);
        });
        attempt(() -> "x".compareTo(null));
        attempt(() -> {
            for (String s : (List<String>) null) System.out.println(s);
        });
    }
}
