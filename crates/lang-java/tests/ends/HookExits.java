/** Who ends the program while hooks run waits for ever, and so does the hook. */
class HookExits {
    public static void main(String[] a) {
        Runtime.getRuntime().addShutdownHook(new Thread(() -> {
            System.out.print("hook ");
            System.exit(1);
        }));
    }
}
