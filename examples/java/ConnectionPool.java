import java.util.concurrent.Semaphore;

/*
 * A pool of two connections for two users. The semaphore lets both in, but the search for a free connection is not
 * protected: they can find the same one.
 *
 * Expected: violated (assertion)
 * Races: boolean[], int[]
 */
class ConnectionPool {
    static final Semaphore PERMITS = new Semaphore(2);
    static final boolean[] BUSY = new boolean[2];
    static final int[] USERS = new int[2];

    static void use() {
        try {
            PERMITS.acquire();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
        int mine = BUSY[0] ? 1 : 0;
        BUSY[mine] = true;
        USERS[mine]++;
        assert USERS[mine] == 1 : "connection " + mine + " has two users";
        USERS[mine]--;
        BUSY[mine] = false;
        PERMITS.release();
    }

    public static void main(String[] args) {
        new Thread(ConnectionPool::use).start();
        use();
    }
}
