/*
 * Three philosophers take the fork on their left, then the one on their right. If all have taken the first, nobody
 * gets the second.
 *
 * Expected: violated (deadlock)
 */
class DiningPhilosophers {
    static final int SEATS = 3;

    static class Fork {
    }

    static class Philosopher extends Thread {
        final Fork left;
        final Fork right;

        Philosopher(Fork left, Fork right) {
            this.left = left;
            this.right = right;
        }

        @Override
        public void run() {
            synchronized (left) {
                synchronized (right) {
                    eat();
                }
            }
        }

        void eat() {
        }
    }

    public static void main(String[] args) {
        Fork[] forks = new Fork[SEATS];
        for (int i = 0; i < SEATS; i++) {
            forks[i] = new Fork();
        }
        for (int i = 0; i < SEATS; i++) {
            new Philosopher(forks[i], forks[(i + 1) % SEATS]).start();
        }
    }
}
