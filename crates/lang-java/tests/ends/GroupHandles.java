/** A group of the program's own handles exceptions, also for groups inside of it. */
class GroupHandles {
    public static void main(String[] a) {
        ThreadGroup outer = new ThreadGroup("outer") {
            @Override public void uncaughtException(Thread t, Throwable e) { System.out.print("handled"); }
        };
        new Thread(new ThreadGroup(outer, "inner"), () -> { throw new IllegalStateException(); }).start();
    }
}
