// An interrupted thread breaks the barrier it comes to.
import java.util.concurrent.BrokenBarrierException;
import java.util.concurrent.CyclicBarrier;

class C {
    public static void main(String[] args) throws BrokenBarrierException {
        CyclicBarrier barrier = new CyclicBarrier(2);
        Thread.currentThread().interrupt();
        try {
            barrier.await();
        } catch (InterruptedException e) {
            System.out.println(e);
        }
        System.out.println(barrier.isBroken());
    }
}
