import everypath.Verify;

/*
 * The scheduler with time partitions, repaired: time of a deleted thread comes back when the next period starts.
 * See TimePartition.java.
 *
 * Expected: holds
 */
class TimePartitionFixed {
    static final int PERIOD = 3;
    static final int LENT = 1;

    int mainLeft;
    int childLeft;
    boolean child;
    int otherLeft;
    int tick;

    void startPeriod() {
        mainLeft = child ? 2 - LENT : 2;
        childLeft = child ? LENT : 0;
        otherLeft = 1;
        tick = 0;
    }

    void create() {
        child = true;
        mainLeft -= LENT;
        childLeft = LENT;
    }

    void delete() {
        child = false;
        childLeft = 0;
    }

    void runOneTick() {
        if (childLeft > 0) {
            childLeft--;
        } else if (mainLeft > 0) {
            if (Verify.chooseBool()) {
                mainLeft--;
            } else {
                mainLeft = 0;
                return;
            }
        } else if (otherLeft > 0) {
            if (Verify.chooseBool()) {
                otherLeft--;
            } else {
                otherLeft = 0;
                return;
            }
        }
        tick++;
    }

    void run() {
        startPeriod();
        do {
            while (tick < PERIOD) {
                if (!child && mainLeft >= LENT && Verify.chooseBool()) {
                    create();
                } else if (child && Verify.chooseBool()) {
                    delete();
                }
                runOneTick();
            }
            assert otherLeft == 0 : "the other process did not get its time";
            startPeriod();
        } while (Verify.chooseBool());
    }

    public static void main(String[] args) {
        new TimePartitionFixed().run();
    }
}
