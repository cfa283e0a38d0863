/*
 * The buffer with if instead of while: two consumers are woken for one item, and the second one takes what is no
 * longer there.
 *
 * Expected: violated (exception)
 */
class BoundedBufferIf {
    private Integer item;

    synchronized void put(int value) throws InterruptedException {
        if (item != null) {
            wait();
        }
        item = value;
        notifyAll();
    }

    synchronized int take() throws InterruptedException {
        if (item == null) {
            wait();
        }
        int value = item;
        item = null;
        notifyAll();
        return value;
    }

    static Thread consumer(BoundedBufferIf buffer) {
        return new Thread(() -> {
            try {
                buffer.take();
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
        });
    }

    public static void main(String[] args) throws InterruptedException {
        BoundedBufferIf buffer = new BoundedBufferIf();
        consumer(buffer).start();
        consumer(buffer).start();
        buffer.put(1);
        buffer.put(2);
    }
}
