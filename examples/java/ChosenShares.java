import everypath.Verify;
import java.util.concurrent.CountDownLatch;

/*
 * A choice and two threads: whoever is chosen to start, the sum of what both add is the same.
 *
 * Expected: holds
 */
class ChosenShares {
    static int sum;

    static synchronized void add(int n) {
        sum += n;
    }

    public static void main(String[] args) throws InterruptedException {
        int first = Verify.choose(1, 3);
        Verify.assume(first != 2);
        CountDownLatch both = new CountDownLatch(2);
        for (int share : new int[] {first, 4 - first}) {
            new Thread(() -> {
                add(share);
                both.countDown();
            }).start();
        }
        both.await();
        Verify.assertTrue(sum == 4, "sum " + sum);
        System.out.println(first + " " + sum);
    }
}
