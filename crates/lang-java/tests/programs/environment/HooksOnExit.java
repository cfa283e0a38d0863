/** A hook cannot be added by a hook, and the status is the one that was asked for. */
class HooksOnExit {
    public static void main(String[] args) {
        Runtime.getRuntime().addShutdownHook(new Thread(() -> {
            System.out.println("hook");
            try {
                Runtime.getRuntime().addShutdownHook(new Thread());
            } catch (IllegalStateException e) {
                System.out.println(e.getMessage());
            }
        }));
        try {
            System.exit(3);
        } finally {
            System.out.println("never");
        }
    }
}
