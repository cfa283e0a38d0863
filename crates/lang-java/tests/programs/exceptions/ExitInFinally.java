class ExitInFinally {
    public static void main(String[] args) {
        Runtime.getRuntime().addShutdownHook(new Thread(() -> System.out.println("hook")));
        try {
            System.out.println("work");
            throw new RuntimeException("lost");
        } finally {
            System.out.println("exit");
            System.exit(7);
        }
    }
}
