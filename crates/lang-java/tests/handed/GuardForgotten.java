/** One thread increments under the lock and forgets the object; the other has no lock. */
class GuardForgotten {
    int x;

    synchronized void add() {
        int old = x;
        x = old + 1;
    }

    public static void main(String[] args) {
        GuardForgotten one = new GuardForgotten();
        new Thread(() -> {
            one.x += 10;
            System.out.println(one.x);
        }).start();
        one.add();
    }
}
