/** Another thread goes on until the program ends. */
class ExitSeen {
    static volatile boolean called;
    public static void main(String[] a) {
        Thread t = new Thread(() -> { assert !called; });
        t.start();
        called = true;
        System.exit(0);
    }
}
