/* Threads that access two volatile fields in turn: a small program with many schedules that differ. */
class Accesses {
    static volatile int left;
    static volatile int right;

    public static void main(String[] args) throws InterruptedException {
        Thread[] threads = new Thread[3];
        for (int index = 0; index < threads.length; index++) {
            int own = index + 1;
            threads[index] = new Thread(() -> {
                left = own;
                right = left + own;
                left = right;
            });
        }
        for (Thread thread : threads) {
            thread.start();
        }
        for (Thread thread : threads) {
            thread.join();
        }
    }
}
