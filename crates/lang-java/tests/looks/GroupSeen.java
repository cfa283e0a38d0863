/** Groups of threads that have ended. */
class GroupSeen {
    public static void main(String[] a) throws Exception {
        Thread t = new Thread(() -> System.out.print("t "));
        t.start();
        System.out.println(t.getThreadGroup() == null ? "gone" : t.isAlive());
        Thread[] all = new Thread[4];
        System.out.println(Thread.enumerate(all));
    }
}
