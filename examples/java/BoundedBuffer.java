/*
 * A buffer with one place, two producers and one consumer, as it should be: the condition is tested again after every
 * wait, and everybody is woken.
 *
 * Expected: holds
 */
class BoundedBuffer {
    private int item;
    private boolean full;

    synchronized void put(int value) throws InterruptedException {
        while (full) {
            wait();
        }
        item = value;
        full = true;
        notifyAll();
    }

    synchronized int take() throws InterruptedException {
        while (!full) {
            wait();
        }
        full = false;
        notifyAll();
        return item;
    }

    static Thread producer(BoundedBuffer buffer, int value) {
        return new Thread(() -> {
            try {
                buffer.put(value);
                buffer.put(value);
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
        });
    }

    public static void main(String[] args) throws InterruptedException {
        BoundedBuffer buffer = new BoundedBuffer();
        producer(buffer, 1).start();
        producer(buffer, 10).start();
        int sum = 0;
        for (int i = 0; i < 4; i++) {
            sum += buffer.take();
        }
        assert sum == 22;
        System.out.println(sum);
    }
}
