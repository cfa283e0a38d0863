class NestedMonitors {
    static int depth;

    synchronized int enter(int n) {
        depth++;
        try {
            return n == 0 ? depth : enter(n - 1);
        } finally {
            depth--;
        }
    }

    static synchronized String onClass() {
        return Thread.holdsLock(NestedMonitors.class) + "";
    }

    public static void main(String[] args) {
        NestedMonitors m = new NestedMonitors();
        System.out.println(m.enter(10) + " " + depth);
        System.out.println(Thread.holdsLock(m) + " " + onClass() + " " + Thread.holdsLock(NestedMonitors.class));
        synchronized (m) {
            synchronized ("lock") {
                synchronized (m) {
                    System.out.println(Thread.holdsLock(m));
                }
                System.out.println(Thread.holdsLock(m) + " " + Thread.holdsLock("lock"));
            }
        }
        try {
            synchronized (m) {
                throw new RuntimeException("out");
            }
        } catch (RuntimeException e) {
            System.out.println(e.getMessage() + " " + Thread.holdsLock(m));
        }
        outer:
        for (int i = 0; ; i++) {
            synchronized (m) {
                if (i == 3) {
                    break outer;
                }
            }
        }
        System.out.println(Thread.holdsLock(m));
    }
}
