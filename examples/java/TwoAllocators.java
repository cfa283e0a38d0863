/*
 * Two threads that only allocate. Whoever is first, the heaps are the same up to the names of the objects: a checker
 * that gives objects canonical places sees one final state.
 *
 * Expected: holds
 */
class TwoAllocators {
    static class S1 {
        int x;
    }

    static class S2 {
        int y;
    }

    static class FirstTask extends Thread {
        @Override
        public void run() {
            int local = 1;
            S1 s = new S1();
            local = 3;
            s.x = local;
        }
    }

    static class SecondTask extends Thread {
        @Override
        public void run() {
            int local = 1;
            S2 s = new S2();
            local = 3;
            s.y = local;
        }
    }

    public static void main(String[] args) {
        new FirstTask().start();
        new SecondTask().start();
    }
}
