// A daemon is cut off without its finally block; a shutdown hook runs.
class C {
    static volatile boolean asleep;

    public static void main(String[] args) {
        Runtime.getRuntime().addShutdownHook(new Thread(() -> System.out.println("hook")));
        Thread t = new Thread(() -> {
            try {
                asleep = true;
                synchronized (C.class) {
                    C.class.wait();
                }
            } catch (InterruptedException e) {
                System.out.println("interrupted");
            } finally {
                System.out.println("finally");
            }
        });
        t.setDaemon(true);
        t.start();
        while (!asleep) {
            Thread.yield();
        }
        System.out.println("main ends");
    }
}
