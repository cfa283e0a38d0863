import java.util.List;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentLinkedDeque;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CopyOnWriteArraySet;
import java.util.concurrent.LinkedBlockingDeque;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.LinkedTransferQueue;
import java.util.concurrent.PriorityBlockingQueue;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.TimeUnit;

class Queues {
    static void exercise(BlockingQueue<Integer> q) throws InterruptedException {
        q.put(3);
        q.offer(1);
        System.out.println(q.offer(2) + " " + q + " " + q.size() + " " + q.remainingCapacity() + " " + q.peek() + " " + q.take() + q.poll() + q.poll() + q.poll());
        System.out.println(q.poll(1, TimeUnit.MILLISECONDS) + " " + q.isEmpty());
        q.add(8);
        q.add(7);
        java.util.ArrayList<Integer> l = new java.util.ArrayList<>();
        System.out.println(q.drainTo(l) + " " + l + q.contains(8));
    }

    public static void main(String[] args) throws InterruptedException {
        exercise(new ArrayBlockingQueue<>(2));
        exercise(new LinkedBlockingQueue<>());
        exercise(new LinkedBlockingDeque<>(5));
        exercise(new PriorityBlockingQueue<>());
        exercise(new LinkedTransferQueue<>());
        System.out.println(new SynchronousQueue<Integer>().offer(1) + " " + new SynchronousQueue<Integer>().poll());
        ConcurrentLinkedQueue<String> c = new ConcurrentLinkedQueue<>(List.of("a", "b", "c"));
        c.remove("b");
        System.out.println(c.poll() + c + c.size());
        ConcurrentLinkedDeque<String> d = new ConcurrentLinkedDeque<>();
        d.addFirst("x");
        d.addLast("y");
        System.out.println(d.pollLast() + d);
        CopyOnWriteArrayList<Integer> w = new CopyOnWriteArrayList<>(List.of(1, 2));
        for (int x : w) w.add(x * 10);
        System.out.println(w + " " + w.addIfAbsent(1) + new CopyOnWriteArraySet<>(List.of(5, 5, 6)));
    }
}
