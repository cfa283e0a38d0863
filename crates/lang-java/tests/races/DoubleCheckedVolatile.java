// no race
class DoubleCheckedVolatile {
    static volatile Object instance;

    static Object get() {
        if (instance == null) {
            synchronized (DoubleCheckedVolatile.class) {
                if (instance == null) {
                    instance = new Object();
                }
            }
        }
        return instance;
    }

    public static void main(String[] args) throws Exception {
        go(DoubleCheckedVolatile::get, DoubleCheckedVolatile::get);
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
