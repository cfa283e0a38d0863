import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;

/*
 * Each operation of the queue is safe, but "is it empty? then take one" is two operations: the other thread can take the
 * last element in between.
 *
 * Expected: violated (exception)
 */
class CheckThenAct {
    static final Queue<String> QUEUE = new ConcurrentLinkedQueue<>(List.of("only one"));

    static void takeOne() {
        if (!QUEUE.isEmpty()) {
            QUEUE.remove();
        }
    }

    public static void main(String[] args) {
        new Thread(CheckThenAct::takeOne).start();
        takeOne();
    }
}
