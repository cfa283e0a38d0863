// no race
class FinalField {
    static class Box { final int x; Box(int x) { this.x = x; } }
    static volatile Box box = new Box(1);

    public static void main(String[] args) throws Exception {
        Box mine = new Box(2);
        go(() -> box = mine, () -> System.out.println(box.x + mine.x));
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
