/*
 * A signal that is missed, after the deadlock that stopped a spacecraft's plan executive in flight.
 *
 * A task remembers how often it has seen an event. It compares that number with the event's counter and, if they are
 * equal, waits. The test and the wait are not one critical section: a signal between them is lost. Both tasks can end
 * up waiting for each other. The counters run modulo 3, so that there are finitely many states.
 *
 * Expected: violated (deadlock)
 * Races: RemoteAgent$Event.count
 */
class RemoteAgent {
    static class Event {
        int count;

        synchronized void await() throws InterruptedException {
            wait();
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
            int seen = EVENT_1.count;
            while (true) {
                if (seen == EVENT_1.count) {
                    EVENT_1.await();
                }
                seen = EVENT_1.count;
                EVENT_2.signal();
            }
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    static void executive() {
        try {
            int seen = EVENT_2.count;
            while (true) {
                EVENT_1.signal();
                if (seen == EVENT_2.count) {
                    EVENT_2.await();
                }
                seen = EVENT_2.count;
            }
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    public static void main(String[] args) {
        new Thread(RemoteAgent::planner, "Planner").start();
        new Thread(RemoteAgent::executive, "Executive").start();
    }
}
