// weak
import java.util.concurrent.atomic.AtomicReference;

class Opaque {
    static final AtomicReference<String> first = new AtomicReference<>(), second = new AtomicReference<>();

    public static void main(String[] a) throws Exception {
        Thread t = new Thread(() -> {
            first.setOpaque("one");
            second.setOpaque("two");
        });
        t.start();
        if (second.getOpaque() != null) {
            assert first.getOpaque() != null;
        }
    }
}
