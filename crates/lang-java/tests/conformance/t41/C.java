// A thread that has not started keeps its interrupt.
class C {
    public static void main(String[] args) throws InterruptedException {
        Thread t = new Thread(() -> System.out.println("inside " + Thread.currentThread().isInterrupted()));
        t.interrupt();
        System.out.println(t.isInterrupted() + " " + t.getState());
        t.start();
        t.join();
    }
}
