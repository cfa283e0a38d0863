// no race
class IsAlive {
    static int x;

    public static void main(String[] args) throws Exception {
        Thread one = new Thread(() -> x++);
        one.start();
        if (!one.isAlive()) {
            System.out.println(x);
        }
    }
}
