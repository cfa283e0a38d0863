// race: WideFields$Box.d
// race: WideFields.l
class WideFields {
    static class Box { double d; }
    static long l;

    public static void main(String[] args) throws Exception {
        Box box = new Box();
        go(() -> { l = 1; box.d = 2; }, () -> { l = 3; box.d = 4; });
    }

    static void go(Runnable... all) throws InterruptedException {
        Thread[] threads = new Thread[all.length];
        for (int i = 0; i < all.length; i++) {
            threads[i] = new Thread(all[i]);
            threads[i].start();
        }
        for (Thread thread : threads) {
            thread.join();
        }
    }
}
