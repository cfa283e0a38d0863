/*
 * Peterson's algorithm with the two assignments the other way round: both threads can be inside.
 *
 * Expected: violated (assertion)
 */
class PetersonBroken {
    static volatile boolean wants0;
    static volatile boolean wants1;
    static volatile int turn;
    static volatile int inside;

    static void critical() {
        inside++;
        assert inside == 1 : inside + " threads inside";
        inside--;
    }

    static void first() {
        turn = 1;
        wants0 = true;
        while (wants1 && turn == 1) {
            Thread.yield();
        }
        critical();
        wants0 = false;
    }

    static void second() {
        turn = 0;
        wants1 = true;
        while (wants0 && turn == 0) {
            Thread.yield();
        }
        critical();
        wants1 = false;
    }

    public static void main(String[] args) {
        new Thread(PetersonBroken::first).start();
        new Thread(PetersonBroken::second).start();
    }
}
