/** A thread belongs to its group until it ends. */
class CountSeen {
    public static void main(String[] a) throws Exception {
        Thread t = new Thread(() -> { });
        System.out.println(Thread.activeCount());
        t.start();
        System.out.println(Thread.activeCount());
        t.join();
        System.out.println(Thread.activeCount());
    }
}
