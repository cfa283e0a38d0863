// race: java.lang.StringBuilder
class SharedBuilder {
    static final StringBuilder text = new StringBuilder();

    public static void main(String[] args) throws Exception {
        go(() -> text.append('a'), () -> text.append('b'));
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
