/*
 * Six philosophers that eat twice, everybody with the fork of the smaller number first.
 */
class Philosophers {
    static class Fork {
    }

    static class Philosopher extends Thread {
        final Fork first;
        final Fork second;

        Philosopher(Fork first, Fork second) {
            this.first = first;
            this.second = second;
        }

        @Override
        public void run() {
            for (int i = 0; i < 2; i++) {
                synchronized (first) {
                    synchronized (second) {
                    }
                }
            }
        }
    }

    public static void main(String[] args) {
        int seats = 6;
        Fork[] forks = new Fork[seats];
        for (int i = 0; i < seats; i++) {
            forks[i] = new Fork();
        }
        for (int i = 0; i < seats; i++) {
            int other = (i + 1) % seats;
            new Philosopher(forks[Math.min(i, other)], forks[Math.max(i, other)]).start();
        }
    }
}
