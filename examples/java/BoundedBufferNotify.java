/*
 * The buffer with notify instead of notifyAll: a producer can wake the other producer, which waits again, and the
 * consumer sleeps for ever.
 *
 * Expected: violated (deadlock)
 */
class BoundedBufferNotify {
    private int item;
    private boolean full;

    synchronized void put(int value) throws InterruptedException {
        while (full) {
            wait();
        }
        item = value;
        full = true;
        notify();
    }

    synchronized int take() throws InterruptedException {
        while (!full) {
            wait();
        }
        full = false;
        notify();
        return item;
    }

    static Thread producer(BoundedBufferNotify buffer, int value) {
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
        BoundedBufferNotify buffer = new BoundedBufferNotify();
        producer(buffer, 1).start();
        producer(buffer, 10).start();
        int sum = 0;
        for (int i = 0; i < 4; i++) {
            sum += buffer.take();
        }
        System.out.println(sum);
    }
}
