// Two threads count without a lock: both may read before one writes.
public class Counter {
    private int value;

    int read() {
        return value;
    }

    void write(int number) {
        value = number;
    }

    public static void main(String[] args) {
        Counter counter = new Counter();
        Thread one = new Thread(() -> counter.write(counter.read() + 1));
        Thread two = new Thread(() -> counter.write(counter.read() + 1));
        one.start();
        two.start();
    }
}
