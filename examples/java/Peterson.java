/*
 * Mutual exclusion with two flags and a turn.
 *
 * Expected: holds
 */
class Peterson {
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
        wants0 = true;
        turn = 1;
        while (wants1 && turn == 1) {
            Thread.yield();
        }
        critical();
        wants0 = false;
    }

    static void second() {
        wants1 = true;
        turn = 0;
        while (wants0 && turn == 0) {
            Thread.yield();
        }
        critical();
        wants1 = false;
    }

    public static void main(String[] args) {
        new Thread(Peterson::first).start();
        new Thread(Peterson::second).start();
    }
}
