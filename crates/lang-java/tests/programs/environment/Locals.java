class Locals {
    static final ThreadLocal<Integer> COUNT = ThreadLocal.withInitial(() -> 10);
    static final ThreadLocal<String> PLAIN = new ThreadLocal<>();
    static final InheritableThreadLocal<String> INHERITED = new InheritableThreadLocal<>();

    public static void main(String[] args) throws InterruptedException {
        COUNT.set(COUNT.get() + 1);
        PLAIN.set("main");
        INHERITED.set("from main");
        Thread t = new Thread(() -> System.out.println(COUNT.get() + " " + PLAIN.get() + " " + INHERITED.get()));
        t.start();
        t.join();
        System.out.println(COUNT.get() + " " + PLAIN.get());
        COUNT.remove();
        PLAIN.remove();
        System.out.println(COUNT.get() + " " + PLAIN.get());
        for (int i = 0; i < 40; i++) {
            ThreadLocal<Integer> l = new ThreadLocal<>();
            l.set(i);
            if (i % 13 == 0) System.out.print(l.get() + " ");
        }
        System.out.println();
    }
}
