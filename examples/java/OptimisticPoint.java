import java.util.concurrent.locks.StampedLock;

/*
 * An optimistic read that does not validate its stamp sees half of a move.
 *
 * Expected: violated (assertion)
 * Races: OptimisticPoint.x, OptimisticPoint.y
 */
class OptimisticPoint {
    static final StampedLock LOCK = new StampedLock();
    static int x;
    static int y;

    static void move() {
        long stamp = LOCK.writeLock();
        x++;
        y++;
        LOCK.unlockWrite(stamp);
    }

    static boolean onDiagonal() {
        LOCK.tryOptimisticRead();
        int a = x;
        int b = y;
        return a == b;
    }

    public static void main(String[] args) {
        new Thread(OptimisticPoint::move).start();
        assert onDiagonal() : "half a move";
    }
}
