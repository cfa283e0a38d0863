/** Another thread goes on until the program halts. */
class HaltSeen {
    static volatile boolean called;
    public static void main(String[] a) {
        Runtime.getRuntime().addShutdownHook(new Thread(() -> {}));
        Thread t = new Thread(() -> { assert !called; });
        t.start();
        called = true;
        Runtime.getRuntime().halt(3);
    }
}
