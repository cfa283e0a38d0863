// race: SleepIsNoOrder.x
class SleepIsNoOrder {
    static int x;

    public static void main(String[] args) throws Exception {
        Thread one = new Thread(() -> x = 1);
        one.start();
        Thread.sleep(1000);
        x = 2;
    }
}
