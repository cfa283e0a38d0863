class Threads {
    public static void main(String[] args) throws InterruptedException {
        Thread main = Thread.currentThread();
        System.out.println(main.getName() + " " + main.getPriority() + " " + main.isDaemon() + " " + main.getThreadGroup().getName() + " " + main.getThreadGroup().getParent().getName() + " " + main.getId() + " " + main);
        Thread t = new Thread(() -> System.out.println("in " + Thread.currentThread().getName()));
        System.out.println(t.getName() + " " + t.getState() + " " + t.isAlive());
        t.setPriority(7);
        t.start();
        t.join();
        System.out.println(t.getState() + " " + t.isAlive() + " " + t.getPriority());
        Thread n = new Thread(new ThreadGroup("own"), () -> System.out.println(Thread.currentThread()), "named");
        n.start();
        n.join();
        System.out.println(new Thread().getName() + " " + new Thread().getName());
        Thread sub = new Thread() {
            @Override
            public void run() {
                System.out.println("subclass " + getName());
            }
        };
        sub.setDaemon(true);
        sub.start();
        sub.join();
        Thread.sleep(1);
        Thread.yield();
        Thread.onSpinWait();
        System.out.println(Thread.interrupted() + " " + Thread.holdsLock(main) + " " + Thread.MAX_PRIORITY);
        try {
            t.setPriority(11);
        } catch (IllegalArgumentException e) {
            System.out.println(e);
        }
        try {
            main.setDaemon(true);
        } catch (IllegalThreadStateException e) {
            System.out.println(e);
        }
    }
}
