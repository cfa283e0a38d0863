/** All threads of a group are interrupted. */
class GroupInterrupt {
    public static void main(String[] a) throws Exception {
        ThreadGroup g = new ThreadGroup("g");
        Thread t = new Thread(g, () -> { try { Thread.sleep(1000); System.out.println("slept"); } catch (InterruptedException e) { System.out.println("interrupted"); } });
        t.start();
        g.interrupt();
        t.join();
    }
}
