import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/*
 * A task in a pool with one thread waits for another task of the same pool, which never gets a thread.
 *
 * Expected: violated (deadlock)
 */
class ExecutorDeadlock {
    public static void main(String[] args) throws InterruptedException, ExecutionException {
        ExecutorService pool = Executors.newFixedThreadPool(1);
        Future<Integer> outer = pool.submit(() -> {
            Future<Integer> inner = pool.submit(() -> 1);
            return inner.get() + 1;
        });
        System.out.println(outer.get());
        pool.shutdown();
    }
}
