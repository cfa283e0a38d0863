import everypath.Verify;

/*
 * A scheduler with time partitions that gives a thread's time back too early.
 *
 * A period has three ticks. The process's main thread owns two of them and may lend one to a child that it creates; a
 * thread of another process is promised one tick. Deleting the child returns its tick at once, although the child may
 * have used it in this very period: then the process runs for three ticks and the other process gets nothing.
 *
 * Expected: violated (assertion)
 */
class TimePartition {
    static final int PERIOD = 3;
    static final int LENT = 1;

    int mainBudget;
    int mainLeft;
    int childLeft;
    boolean child;
    int otherLeft;
    int tick;

    void startPeriod(int budget) {
        mainBudget = budget;
        mainLeft = budget;
        childLeft = child ? LENT : 0;
        otherLeft = 1;
        tick = 0;
    }

    void create() {
        child = true;
        mainBudget -= LENT;
        mainLeft -= LENT;
        childLeft = LENT;
    }

    void delete() {
        child = false;
        childLeft = 0;
        mainBudget += LENT;
        mainLeft += LENT;
    }

    /** One clock tick for the thread of highest priority that has time left. */
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
        startPeriod(2);
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
            startPeriod(mainBudget);
        } while (Verify.chooseBool());
    }

    public static void main(String[] args) {
        new TimePartition().run();
    }
}
