import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.atomic.AtomicInteger;

/*
 * Two workers take jobs from a queue until they find the end mark. Every job is done once.
 *
 * Expected: holds
 */
class WorkQueue {
    static final int END = 0;
    static final BlockingQueue<Integer> JOBS = new LinkedBlockingQueue<>();
    static final AtomicInteger DONE = new AtomicInteger();

    static void work() {
        try {
            for (int job = JOBS.take(); job != END; job = JOBS.take()) {
                DONE.addAndGet(job);
            }
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    public static void main(String[] args) throws InterruptedException {
        Thread first = new Thread(WorkQueue::work);
        Thread second = new Thread(WorkQueue::work);
        first.start();
        second.start();
        JOBS.put(1);
        JOBS.put(10);
        JOBS.put(END);
        JOBS.put(END);
        first.join();
        second.join();
        assert DONE.get() == 11;
        System.out.println(DONE);
    }
}
