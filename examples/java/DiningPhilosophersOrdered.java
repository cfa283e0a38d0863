/*
 * The philosophers again, but everybody takes the fork with the smaller number first.
 *
 * Expected: holds
 */
class DiningPhilosophersOrdered {
    static final int SEATS = 3;

    static class Philosopher extends Thread {
        final Object first;
        final Object second;

        Philosopher(Object[] forks, int seat) {
            int other = (seat + 1) % SEATS;
            first = forks[Math.min(seat, other)];
            second = forks[Math.max(seat, other)];
        }

        @Override
        public void run() {
            synchronized (first) {
                synchronized (second) {
                    eat();
                }
            }
        }

        void eat() {
        }
    }

    public static void main(String[] args) {
        Object[] forks = new Object[SEATS];
        for (int i = 0; i < SEATS; i++) {
            forks[i] = new Object();
        }
        for (int i = 0; i < SEATS; i++) {
            new Philosopher(forks, i).start();
        }
    }
}
