/** Shutdown hooks run after the last thread, or when the program asks for its end. */
class Hooks {
    public static void main(String[] args) throws Exception {
        Thread kept = new Thread(() -> System.out.println("hook"));
        Thread removed = new Thread(() -> System.out.println("never"));
        Runtime.getRuntime().addShutdownHook(kept);
        Runtime.getRuntime().addShutdownHook(removed);
        System.out.println(Runtime.getRuntime().removeShutdownHook(removed));
        try {
            Runtime.getRuntime().addShutdownHook(kept);
        } catch (IllegalArgumentException e) {
            System.out.println(e.getMessage());
        }
        Thread last = new Thread(() -> System.out.println("last"));
        last.start();
        last.join();
    }
}
