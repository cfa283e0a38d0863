// endless
// ends: out
// ends: uncaught main: java.lang.AssertionError: seen
/** Loops without end, in which nothing happens that others could notice, keep nobody from moving. */
class EndlessLoops {
    static int x;

    static void forever() {
        int turns = 0;
        while (true) {
            turns = (turns + 1) % 100;
        }
    }

    public static void main(String[] args) {
        Thread spinner = new Thread(EndlessLoops::forever);
        spinner.setDaemon(true);
        spinner.start();
        Thread writer = new Thread(() -> x = 1);
        writer.setDaemon(true);
        writer.start();
        if (x == 1) {
            throw new AssertionError("seen");
        }
        System.out.println("out");
    }
}
