// no race
import java.util.concurrent.*;
import java.util.concurrent.atomic.*;
import java.util.concurrent.locks.*;

class UsesCompletableFuture {
    static int data;

    public static void main(String[] args) throws Exception {
        CompletableFuture<Integer> done = new CompletableFuture<>();
        Thread one = new Thread(() -> { data = 5; done.complete(1); });
        one.start();
        System.out.println(done.join() + data);
    }
}
