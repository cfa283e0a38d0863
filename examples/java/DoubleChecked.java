/*
 * The singleton with double-checked locking. No interleaving makes two (the field is volatile, so the language's memory
 * model agrees).
 *
 * Expected: holds
 */
class DoubleChecked {
    private static volatile DoubleChecked instance;
    private static volatile DoubleChecked seenByOther;
    private final int value;

    DoubleChecked() {
        value = 7;
    }

    static DoubleChecked get() {
        DoubleChecked result = instance;
        if (result == null) {
            synchronized (DoubleChecked.class) {
                result = instance;
                if (result == null) {
                    result = new DoubleChecked();
                    instance = result;
                }
            }
        }
        return result;
    }

    public static void main(String[] args) throws InterruptedException {
        Thread other = new Thread(() -> seenByOther = get());
        other.start();
        DoubleChecked mine = get();
        other.join();
        assert mine == seenByOther;
        System.out.println(mine.value);
    }
}
