// race: UnsafePublication.box
class UnsafePublication {
    static class Box { int x; Box() { x = 5; } }
    static Box box;

    public static void main(String[] args) throws Exception {
        go(() -> box = new Box(), () -> { Box b = box; if (b != null) System.out.println(b.x); });
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
