// A thread that has ended keeps its interrupt.
class C {
    public static void main(String[] args) throws InterruptedException {
        Thread t = new Thread(() -> { });
        t.start();
        t.join();
        t.interrupt();
        System.out.println(t.isInterrupted() + " " + t.getState());
    }
}
