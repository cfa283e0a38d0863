/** A class of threads has a handler of its own. */
class ThreadHandles extends Thread {
    @Override public void run() { throw new IllegalStateException(); }

    @Override public UncaughtExceptionHandler getUncaughtExceptionHandler() {
        return (t, e) -> System.out.print("handled");
    }

    public static void main(String[] a) {
        new ThreadHandles().start();
    }
}
