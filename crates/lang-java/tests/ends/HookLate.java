/** A hook is registered before the program begins to end, or refused. */
class HookLate {
    public static void main(String[] a) {
        new Thread(() -> Runtime.getRuntime().addShutdownHook(new Thread(() -> System.out.print("hook")))).start();
        System.exit(0);
    }
}
