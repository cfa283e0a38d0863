/*
 * Two readers and a writer behind a small read-write monitor. Nobody reads while somebody writes.
 *
 * Expected: holds
 */
class ReadersWriters {
    private int readers;
    private boolean writing;

    synchronized void beginRead() throws InterruptedException {
        while (writing) {
            wait();
        }
        readers++;
    }

    synchronized void endRead() {
        if (--readers == 0) {
            notifyAll();
        }
    }

    synchronized void beginWrite() throws InterruptedException {
        while (writing || readers > 0) {
            wait();
        }
        writing = true;
    }

    synchronized void endWrite() {
        writing = false;
        notifyAll();
    }

    int first;
    int second;

    void read() {
        try {
            beginRead();
            assert first == second : first + " and " + second;
            endRead();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    public static void main(String[] args) throws InterruptedException {
        ReadersWriters rw = new ReadersWriters();
        new Thread(rw::read).start();
        new Thread(rw::read).start();
        rw.beginWrite();
        rw.first++;
        rw.second++;
        rw.endWrite();
    }
}
