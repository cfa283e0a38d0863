// ends: false
// ends: true
/** The time that a thread reads may come before or after the sleep of another one. */
class ClockOfOthers {
    static volatile boolean woken;

    public static void main(String[] args) throws InterruptedException {
        Thread sleeper = new Thread(() -> {
            try {
                Thread.sleep(1000);
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
            woken = true;
        });
        sleeper.start();
        long before = System.nanoTime();
        sleeper.join();
        System.out.println(System.nanoTime() - before >= 1_000_000_000L);
    }
}
