// A bounded queue that is full.
import java.util.concurrent.ArrayBlockingQueue;

class C {
    public static void main(String[] args) {
        ArrayBlockingQueue<String> queue = new ArrayBlockingQueue<>(1);
        queue.add("one");
        try {
            queue.add("two");
        } catch (IllegalStateException e) {
            System.out.println(e);
        }
    }
}
