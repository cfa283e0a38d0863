import java.util.concurrent.atomic.AtomicReference;

/** An object goes from hand to hand, and one of them looks at it once more. */
class PassedOn {
    int x;
    static final AtomicReference<PassedOn> cell = new AtomicReference<>();

    public static void main(String[] args) {
        new Thread(() -> {
            PassedOn got = cell.getAndSet(null);
            if (got != null) {
                got.x = 2;
            }
        }).start();
        PassedOn one = new PassedOn();
        one.x = 1;
        cell.set(one);
        System.out.println(one.x);
    }
}
