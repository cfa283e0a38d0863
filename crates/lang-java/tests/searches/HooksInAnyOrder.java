// Shutdown hooks run at the same time.
// ends: main|one|two
// ends: main|two|one
class HooksInAnyOrder {
    public static void main(String[] args) {
        Runtime.getRuntime().addShutdownHook(new Thread(() -> System.out.println("one")));
        Runtime.getRuntime().addShutdownHook(new Thread(() -> System.out.println("two")));
        System.out.println("main");
    }
}
