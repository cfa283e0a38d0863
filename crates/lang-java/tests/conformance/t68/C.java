// Completing a future; a stage that fails.
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;

class C {
    static int fail() {
        throw new RuntimeException("q");
    }

    public static void main(String[] args) throws InterruptedException {
        CompletableFuture<Integer> f = new CompletableFuture<>();
        System.out.println(f.complete(1) + " " + f.complete(2) + " " + f.join());
        CompletableFuture<Integer> g = CompletableFuture.supplyAsync(C::fail);
        try {
            g.join();
        } catch (CompletionException e) {
            System.out.println(e);
        }
        try {
            g.get();
        } catch (ExecutionException e) {
            System.out.println(e);
        }
    }
}
