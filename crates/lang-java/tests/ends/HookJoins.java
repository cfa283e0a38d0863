/** The last thread has ended when hooks begin. */
class HookJoins {
    public static void main(String[] a) {
        Thread last = Thread.currentThread();
        Runtime.getRuntime().addShutdownHook(new Thread(() -> {
            try {
                last.join();
            } catch (InterruptedException e) {
                System.out.print("never ");
            }
            System.out.print(last.isAlive() + " " + last.getState());
        }));
    }
}
