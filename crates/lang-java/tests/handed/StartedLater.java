/** Whoever is left alone starts another thread and looks at once at what that one does. */
class StartedLater {
    static volatile int x;

    public static void main(String[] args) {
        Thread first = new Thread(() -> { });
        first.start();
        while (first.isAlive()) {
            Thread.yield();
        }
        new Thread(() -> x = 1).start();
        System.out.println(x);
    }
}
