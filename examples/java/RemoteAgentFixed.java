/*
 * The remote agent with its repair: test and wait are one critical section, and no task reads a counter before its
 * first wait. See RemoteAgent.java.
 *
 * Expected: holds
 */
class RemoteAgentFixed {
    static class Event {
        int count;

        synchronized int awaitOther(int seen) throws InterruptedException {
            while (seen == count) {
                wait();
            }
            return count;
        }

        synchronized void signal() {
            count = (count + 1) % 3;
            notifyAll();
        }
    }

    static final Event EVENT_1 = new Event();
    static final Event EVENT_2 = new Event();

    static void planner() {
        try {
            int seen = 0;
            while (true) {
                seen = EVENT_1.awaitOther(seen);
                EVENT_2.signal();
            }
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    static void executive() {
        try {
            int seen = 0;
            while (true) {
                EVENT_1.signal();
                seen = EVENT_2.awaitOther(seen);
            }
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    public static void main(String[] args) {
        new Thread(RemoteAgentFixed::planner, "Planner").start();
        new Thread(RemoteAgentFixed::executive, "Executive").start();
    }
}
