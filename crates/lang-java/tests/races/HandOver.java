// no race
class HandOver {
    static int x;

    public static void main(String[] args) throws Exception {
        x = 1;
        Thread one = new Thread(() -> x++);
        one.start();
        one.join();
        x++;
        Thread two = new Thread(() -> x++);
        two.start();
        two.join();
        System.out.println(x);
    }
}
