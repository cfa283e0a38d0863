// no race
class HolderClass {
    static class Holder { static int[] instance = {1, 2}; }

    public static void main(String[] args) throws Exception {
        go(() -> System.out.println(Holder.instance[0]), () -> System.out.println(Holder.instance[1]));
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
