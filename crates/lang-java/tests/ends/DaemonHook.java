/** A daemon ends the program, and the last other thread waits until the hooks are through. */
class DaemonHook {
    public static void main(String[] a) {
        Thread hook = new Thread(() -> System.out.print("hook"));
        hook.setDaemon(true);
        Runtime.getRuntime().addShutdownHook(hook);
        Thread t = new Thread(() -> System.exit(3));
        t.setDaemon(true);
        t.start();
    }
}
