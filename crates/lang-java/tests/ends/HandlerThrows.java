/** What a handler throws is caught by nobody. */
class HandlerThrows {
    public static void main(String[] a) {
        Thread t = new Thread(() -> { throw new IllegalStateException(); });
        t.setUncaughtExceptionHandler((thread, e) -> { throw new UnsupportedOperationException(); });
        t.start();
    }
}
