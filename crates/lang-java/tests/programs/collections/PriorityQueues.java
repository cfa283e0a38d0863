import java.util.Comparator;
import java.util.PriorityQueue;

class PriorityQueues {
    record Task(String name, int priority) { }

    public static void main(String[] args) {
        PriorityQueue<Integer> q = new PriorityQueue<>();
        for (int i = 0; i < 15; i++) q.add(i * 7 % 11);
        System.out.println(q);
        StringBuilder b = new StringBuilder();
        q.remove(5);
        while (!q.isEmpty()) b.append(q.poll()).append(' ');
        System.out.println(b);
        PriorityQueue<Task> t = new PriorityQueue<>(Comparator.comparingInt(Task::priority).reversed().thenComparing(Task::name));
        t.add(new Task("low", 1));
        t.add(new Task("high", 9));
        t.add(new Task("also", 9));
        System.out.println(t.peek() + " " + t.size());
        System.out.println(t.poll().name() + t.poll().name() + t.poll().name() + t.poll());
        int[][] graph = {{1, 4}, {2, 1}, {3, 7}};
        int[] dist = {0, 99, 99, 99};
        PriorityQueue<int[]> work = new PriorityQueue<>((x, y) -> x[1] - y[1]);
        work.add(new int[] {0, 0});
        while (!work.isEmpty()) {
            int[] c = work.poll();
            if (c[0] < graph.length && c[1] + graph[c[0]][1] < dist[graph[c[0]][0]]) {
                dist[graph[c[0]][0]] = c[1] + graph[c[0]][1];
                work.add(new int[] {graph[c[0]][0], dist[graph[c[0]][0]]});
            }
        }
        System.out.println(java.util.Arrays.toString(dist));
    }
}
