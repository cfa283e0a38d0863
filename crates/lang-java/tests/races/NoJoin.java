// race: NoJoin.x
class NoJoin {
    static int x;

    public static void main(String[] args) throws Exception {
        x = 1;
        Thread one = new Thread(() -> x++);
        one.start();
        System.out.println(x);
    }
}
