class UncaughtInInitialiser {
    static class Config {
        static final int PORT = Integer.parseInt("port");
    }

    public static void main(String[] args) {
        System.out.println("start");
        System.out.println(Config.PORT);
    }
}
