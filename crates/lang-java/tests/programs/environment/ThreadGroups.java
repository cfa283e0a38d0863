/** Groups of threads, what they count and what they catch. */
class ThreadGroups {
    public static void main(String[] args) throws Exception {
        ThreadGroup mine = Thread.currentThread().getThreadGroup();
        System.out.println(mine.getName() + " " + mine.activeCount() + " " + mine.getParent().getName() + " " + mine.getMaxPriority());
        Thread[] found = new Thread[3];
        System.out.println(mine.enumerate(found) + " " + (found[0] == Thread.currentThread()));
        ThreadGroup other = new ThreadGroup("other") {
            @Override
            public void uncaughtException(Thread thread, Throwable thrown) {
                System.out.println("caught " + thrown + " of " + thread.getName());
            }
        };
        Thread t = new Thread(other, () -> {
            System.out.println(other.activeCount() + " " + mine.enumerate(found, false) + " " + mine.enumerate(found));
            throw new RuntimeException("thrown");
        }, "t");
        System.out.println(t + " " + other.activeCount() + " " + mine.activeGroupCount());
        t.start();
        t.join();
        System.out.println(t.getThreadGroup() + " " + t.getState() + " " + other.activeCount());
        try {
            t.setPriority(11);
        } catch (IllegalArgumentException e) {
            System.out.println("no such priority");
        }
        InheritableThreadLocal<String> inherited = new InheritableThreadLocal<>();
        inherited.set("from the parent");
        Thread child = new Thread(() -> System.out.println(inherited.get()));
        child.start();
        child.join();
        try {
            Thread.currentThread().stop();
        } catch (ThreadDeath e) {
            System.out.println("stopped myself");
        }
    }
}
