// no race
class WaitsForIt {
    static boolean ready;
    static int data;

    public static void main(String[] args) throws Exception {
        Object lock = new Object();
        Thread one = new Thread(() -> {
            data = 4;
            synchronized (lock) {
                ready = true;
                lock.notify();
            }
        });
        one.start();
        synchronized (lock) {
            while (!ready) {
                lock.wait();
            }
        }
        System.out.println(data);
    }
}
