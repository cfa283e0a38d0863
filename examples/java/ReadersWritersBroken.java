/*
 * The read-write monitor that looks at the readers only before it waits: a writer that was woken starts while readers
 * are at work.
 *
 * Expected: violated (assertion)
 * Races: ReadersWritersBroken.first, ReadersWritersBroken.second
 */
class ReadersWritersBroken {
    private int readers;
    private boolean writing;

    synchronized void beginRead() throws InterruptedException {
        while (writing) {
            wait();
        }
        readers++;
    }

    synchronized void endRead() {
        readers--;
        notifyAll();
    }

    synchronized void beginWrite() throws InterruptedException {
        if (writing || readers > 0) {
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
        ReadersWritersBroken rw = new ReadersWritersBroken();
        new Thread(rw::read).start();
        new Thread(rw::read).start();
        rw.beginWrite();
        rw.first++;
        rw.second++;
        rw.endWrite();
    }
}
