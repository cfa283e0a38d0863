/** Nobody waits for anybody: whoever is left alone writes what the other has read. */
class StaticForgotten {
    static int x;

    public static void main(String[] args) {
        new Thread(() -> x = 1).start();
        System.out.println(x);
    }
}
