// An uncaught exception in a worker; main ends normally.
class C {
    static void work() {
        throw new IllegalStateException("broken", new RuntimeException("why"));
    }

    public static void main(String[] args) throws InterruptedException {
        Thread t = new Thread(C::work, "w1");
        t.start();
        t.join();
        System.out.println("main goes on");
    }
}
