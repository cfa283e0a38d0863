/** A handler is set while another thread throws. */
class Handler {
    static volatile boolean x;
    public static void main(String[] a) throws Exception {
        Thread t = new Thread(() -> { x = true; throw new RuntimeException("r"); });
        t.start();
        while (!x) Thread.onSpinWait();
        Thread.setDefaultUncaughtExceptionHandler((p, e) -> System.out.println("handled"));
    }
}
