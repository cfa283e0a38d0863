import java.util.concurrent.BrokenBarrierException;
import java.util.concurrent.CyclicBarrier;

/*
 * Two threads write their half, meet at a barrier, and read the other half.
 *
 * Expected: holds
 */
class Phases {
    static final CyclicBarrier BARRIER = new CyclicBarrier(2);
    static final int[] HALVES = new int[2];

    static void work(int me) {
        try {
            HALVES[me] = me + 1;
            BARRIER.await();
            int sum = HALVES[0] + HALVES[1];
            assert sum == 3 : "sum " + sum;
        } catch (InterruptedException | BrokenBarrierException e) {
            throw new IllegalStateException(e);
        }
    }

    public static void main(String[] args) {
        new Thread(() -> work(1)).start();
        work(0);
    }
}
