// race: ClassWaited$Late.x
class ClassWaited {
    static class Late {
        static int x = start();
        static int start() { return 1; }
    }

    public static void main(String[] args) throws Exception {
        go(() -> Late.x++, () -> Late.x++);
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
