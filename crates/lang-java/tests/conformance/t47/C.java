// Handlers of uncaught exceptions: the thread's own one comes first, others use the default.
class C {
    public static void main(String[] args) throws InterruptedException {
        Thread.setDefaultUncaughtExceptionHandler(
                (thread, e) -> System.out.println("default: " + thread.getName() + " " + e.getMessage()));
        Thread own = new Thread(() -> {
            throw new RuntimeException("first");
        }, "own");
        own.setUncaughtExceptionHandler((thread, e) -> {
            System.out.println("own: " + thread.getName() + " " + e.getMessage());
            throw new IllegalStateException("the handler fails too");
        });
        own.start();
        own.join();
        System.out.println(own.getState());
        Thread other = new Thread(() -> {
            throw new RuntimeException("second");
        }, "other");
        other.start();
        other.join();
        System.out.println(other.getState());
    }
}
