// ends: 3|499999500000
// ends: 499999500000|3
/** Long stretches are cut into several steps, and that is all: others notice nothing. */
class LongStretches {
    public static void main(String[] args) throws InterruptedException {
        Thread other = new Thread(() -> {
            long sum = 0;
            for (int i = 0; i < 1_000_000; i++) {
                sum += i;
            }
            System.out.println(sum);
        });
        other.start();
        System.out.println(args.length + 3);
        other.join();
    }
}
