import java.util.Timer;
import java.util.TimerTask;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;

class Timers {
    public static void main(String[] args) throws Exception {
        CountDownLatch done = new CountDownLatch(1);
        Timer t = new Timer("tick", true);
        t.schedule(new TimerTask() {
            @Override
            public void run() {
                System.out.println("timer " + Thread.currentThread().getName());
                done.countDown();
            }
        }, 1);
        done.await();
        t.cancel();
        ScheduledExecutorService s = Executors.newScheduledThreadPool(1);
        System.out.println(s.schedule(() -> "scheduled", 1, TimeUnit.MILLISECONDS).get());
        s.shutdown();
        System.out.println(s.awaitTermination(5, TimeUnit.SECONDS));
    }
}
