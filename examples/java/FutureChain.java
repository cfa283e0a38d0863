import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/*
 * Two computations of a pool, joined by a chain of futures. The order of the threads does not change the result.
 *
 * Expected: holds
 */
class FutureChain {
    public static void main(String[] args) {
        ExecutorService pool = Executors.newFixedThreadPool(1);
        CompletableFuture<Integer> price = CompletableFuture.supplyAsync(() -> 20, pool);
        CompletableFuture<Integer> count = new CompletableFuture<>();
        CompletableFuture<String> bill = price.thenCombine(count, (p, n) -> p * n).thenApply(total -> "total " + total);
        count.complete(2);
        String text = bill.join();
        assert text.equals("total 40") : text;
        System.out.println(text);
        pool.shutdown();
    }
}
