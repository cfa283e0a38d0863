// no race
import java.util.concurrent.*;
import java.util.concurrent.atomic.*;
import java.util.concurrent.locks.*;

class UsesQueue {
    static class Box { int x; }

    public static void main(String[] args) throws Exception {
        BlockingQueue<Box> queue = new ArrayBlockingQueue<>(1);
        Thread one = new Thread(() -> {
            Box box = new Box();
            box.x = 9;
            try {
                queue.put(box);
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
        });
        one.start();
        System.out.println(queue.take().x);
    }
}
