/** A group of the program's own leaves exceptions to the library. */
class GroupPasses {
    public static void main(String[] a) {
        ThreadGroup group = new ThreadGroup("group") {
            @Override public void uncaughtException(Thread t, Throwable e) {
                System.out.print("passed");
                super.uncaughtException(t, e);
            }
        };
        new Thread(group, () -> { throw new IllegalStateException(); }).start();
    }
}
