import java.util.PriorityQueue;

class EventQueue {
    static abstract class Event implements Comparable<Event> {
        final int time;
        final int seq = counter++;
        static int counter;

        Event(int time) {
            this.time = time;
        }

        abstract void fire(PriorityQueue<Event> q);

        @Override
        public int compareTo(Event o) {
            return time != o.time ? time - o.time : seq - o.seq;
        }
    }

    static class Arrival extends Event {
        final int id;

        Arrival(int time, int id) {
            super(time);
            this.id = id;
        }

        void fire(PriorityQueue<Event> q) {
            System.out.println(time + " arrival " + id);
            if (id < 4) q.add(new Arrival(time + 3, id + 1));
            q.add(new Departure(time + 5 + id % 2, id));
        }
    }

    static class Departure extends Event {
        final int id;

        Departure(int time, int id) {
            super(time);
            this.id = id;
        }

        void fire(PriorityQueue<Event> q) {
            System.out.println(time + " departure " + id + ", " + q.size() + " waiting");
        }
    }

    public static void main(String[] args) {
        PriorityQueue<Event> q = new PriorityQueue<>();
        q.add(new Arrival(0, 1));
        while (!q.isEmpty()) q.poll().fire(q);
        System.out.println(Event.counter);
    }
}
