class MonitorsAlone {
    int value;
    boolean full;

    synchronized void put(int v) throws InterruptedException {
        while (full) wait();
        value = v;
        full = true;
        notifyAll();
    }

    synchronized int take() throws InterruptedException {
        while (!full) wait();
        full = false;
        notifyAll();
        return value;
    }

    public static void main(String[] args) throws InterruptedException {
        MonitorsAlone box = new MonitorsAlone();
        Thread producer = new Thread(() -> {
            try {
                for (int i = 0; i < 5; i++) box.put(i * i);
            } catch (InterruptedException e) {
                System.out.println("interrupted");
            }
        });
        producer.start();
        int sum = 0;
        for (int i = 0; i < 5; i++) sum = sum * 10 + box.take();
        producer.join();
        System.out.println(sum);
        synchronized (box) {
            box.wait(1);
            box.wait(0, 1);
            box.notify();
        }
        try {
            synchronized (box) {
                box.wait(1, 1000000);
            }
        } catch (IllegalArgumentException e) {
            System.out.println(e.getMessage());
        }
    }
}
