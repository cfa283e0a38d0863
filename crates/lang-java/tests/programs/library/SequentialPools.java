import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.Future;
import java.util.concurrent.RecursiveTask;
import java.util.concurrent.TimeUnit;

class SequentialPools {
    static class Sum extends RecursiveTask<Integer> {
        final int from;
        final int to;

        Sum(int from, int to) {
            this.from = from;
            this.to = to;
        }

        @Override
        protected Integer compute() {
            if (to - from < 3) {
                int s = 0;
                for (int i = from; i < to; i++) s += i;
                return s;
            }
            int mid = (from + to) / 2;
            Sum left = new Sum(from, mid);
            left.fork();
            return new Sum(mid, to).compute() + left.join();
        }
    }

    public static void main(String[] args) throws Exception {
        ExecutorService pool = Executors.newSingleThreadExecutor(r -> new Thread(r, "only"));
        Future<String> f = pool.submit(() -> Thread.currentThread().getName());
        System.out.println(f.get() + " " + f.isDone());
        List<Callable<Integer>> jobs = List.of(() -> 1, () -> 2, () -> 3);
        int sum = 0;
        for (Future<Integer> r : pool.invokeAll(jobs)) sum += r.get();
        System.out.println(sum + " " + pool.invokeAny(List.of(() -> "any")));
        pool.shutdown();
        System.out.println(pool.awaitTermination(5, TimeUnit.SECONDS) + " " + pool.isTerminated());
        System.out.println(new ForkJoinPool(2).invoke(new Sum(0, 20)));
    }
}
