// no race
class Interrupts {
    static int x;

    public static void main(String[] args) throws Exception {
        Thread sleeper = new Thread(() -> {
            try {
                synchronized (Interrupts.class) {
                    Interrupts.class.wait();
                }
            } catch (InterruptedException e) {
                System.out.println(x);
            }
        });
        sleeper.start();
        x = 5;
        sleeper.interrupt();
    }
}
