/** A group of the library as the handler handles nothing. */
class HandlerIsGroup {
    public static void main(String[] a) {
        Thread t = new Thread(() -> { throw new IllegalStateException(); });
        t.setUncaughtExceptionHandler(t.getThreadGroup());
        t.start();
    }
}
