// Two philosophers and two forks. Both take fork1 first, so nobody waits for ever.
public class Philosophers {
    static class Fork {
        private boolean isUp;

        synchronized void up() throws InterruptedException {
            boolean success = false;
            while (!success) {
                if (isUp) {
                    wait();
                } else {
                    isUp = true;
                    success = true;
                }
            }
        }

        synchronized void down() {
            isUp = false;
            notifyAll();
        }
    }

    static class Philosopher extends Thread {
        private final Fork left;
        private final Fork right;
        private int meals = 3;

        Philosopher(Fork left, Fork right) {
            this.left = left;
            this.right = right;
        }

        void startEating() {}

        void stopEating() {}

        @Override
        public void run() {
            try {
                while (meals-- > 0) {
                    left.up();
                    right.up();
                    startEating();
                    stopEating();
                    left.down();
                    right.down();
                }
            } catch (InterruptedException e) {
                return;
            }
        }
    }

    public static void main(String[] args) {
        Fork fork1 = new Fork();
        Fork fork2 = new Fork();
        Philosopher p1 = new Philosopher(fork1, fork2);
        Philosopher p2 = new Philosopher(fork1, fork2);
        p1.start();
        p2.start();
    }
}
