// no race
import java.util.concurrent.*;
import java.util.concurrent.atomic.*;
import java.util.concurrent.locks.*;

class UsesExecutor {
    static int data;

    public static void main(String[] args) throws Exception {
        ExecutorService pool = Executors.newFixedThreadPool(1);
        data = 1;
        Future<?> future = pool.submit(() -> data++);
        future.get();
        data++;
        pool.shutdown();
        System.out.println(data);
    }
}
