// no race
import java.util.concurrent.*;
import java.util.concurrent.atomic.*;
import java.util.concurrent.locks.*;

class UsesLatch {
    static int data;

    public static void main(String[] args) throws Exception {
        CountDownLatch latch = new CountDownLatch(1);
        Thread one = new Thread(() -> { data = 3; latch.countDown(); });
        one.start();
        latch.await();
        System.out.println(data);
    }
}
