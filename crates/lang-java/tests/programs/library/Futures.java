import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;

class Futures {
    public static void main(String[] args) throws Exception {
        CompletableFuture<Integer> f = new CompletableFuture<>();
        CompletableFuture<String> g = f.thenApply(x -> x * 2).thenApply(x -> "v" + x);
        CompletableFuture<Void> h = g.thenAccept(s -> System.out.println("accept " + s));
        System.out.println(f.isDone() + " " + g.getNow("not yet"));
        f.complete(21);
        System.out.println(g.join() + " " + h.isDone() + " " + f.get());
        CompletableFuture<Integer> bad = CompletableFuture.completedFuture(1).thenApply(x -> x / 0);
        System.out.println(bad.isCompletedExceptionally() + " " + bad.exceptionally(e -> -1).join() + " " + bad.handle((v, e) -> e.getClass().getSimpleName() + e.getCause().getMessage()).join());
        try {
            bad.join();
        } catch (CompletionException e) {
            System.out.println(e.getMessage());
        }
        System.out.println(CompletableFuture.completedFuture(2).thenCombine(CompletableFuture.completedFuture(3), Integer::sum).join() + " " + CompletableFuture.completedFuture(4).thenCompose(x -> CompletableFuture.completedFuture(x + 1)).join());
        CompletableFuture<Integer> a = new CompletableFuture<>();
        CompletableFuture<Integer> b = new CompletableFuture<>();
        CompletableFuture<Void> all = CompletableFuture.allOf(a, b);
        CompletableFuture<Object> any = CompletableFuture.anyOf(a, b);
        a.complete(1);
        System.out.println(all.isDone() + " " + any.join());
        b.completeExceptionally(new IllegalStateException("b"));
        System.out.println(all.isCompletedExceptionally() + " " + b.cancel(true) + b.isCancelled());
        a.whenComplete((v, e) -> System.out.println(v + " " + e));
        FutureTask<String> t = new FutureTask<>(() -> "ran");
        t.run();
        System.out.println(t.get() + t.isDone() + t.cancel(false));
        FutureTask<Object> ft = new FutureTask<>(() -> {
            throw new Exception("task");
        });
        ft.run();
        try {
            ft.get();
        } catch (ExecutionException e) {
            System.out.println(e.getMessage());
        }
        System.out.println(List.of(1, 2, 3).stream().map(x -> CompletableFuture.completedFuture(x * x)).map(CompletableFuture::join).toList());
    }
}
