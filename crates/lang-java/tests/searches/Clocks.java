// ends: true true true true true
/** Whoever waits in vain sees that the time has passed, whatever it looks at; and a loop that waits for a moment ends. */
class Clocks {
    static long millis() {
        return System.currentTimeMillis();
    }

    public static void main(String[] args) throws InterruptedException {
        long before = System.nanoTime();
        Thread.sleep(1000);
        boolean slept = System.nanoTime() - before >= 1_000_000_000L;
        long start = millis();
        Object lock = new Object();
        synchronized (lock) {
            lock.wait(20);
        }
        boolean waited = millis() - start >= 20;
        start = millis();
        java.util.concurrent.CountDownLatch latch = new java.util.concurrent.CountDownLatch(1);
        boolean opened = latch.await(3, java.util.concurrent.TimeUnit.SECONDS);
        boolean awaited = !opened && millis() - start >= 3000;
        long end = millis() + 100;
        int turns = 0;
        while (millis() < end) {
            turns++;
        }
        java.time.Instant now = java.time.Instant.now();
        boolean same = Math.abs(now.toEpochMilli() - millis()) < 1000;
        System.out.println(slept + " " + waited + " " + awaited + " " + (turns > 0) + " " + same);
    }
}
