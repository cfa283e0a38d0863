// race: ThroughSpin.done
class ThroughSpin {
    static boolean done;
    static int data;

    public static void main(String[] args) throws Exception {
        Thread one = new Thread(() -> { data = 1; done = true; });
        one.start();
        while (!done) {
            Thread.onSpinWait();
        }
        System.out.println(data);
    }
}
