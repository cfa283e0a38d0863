/** Two threads, each of which is the first to touch a class: in the end nobody knows which one came first. */
class ClassesInAnyOrder {
    static class First {
        static Object held = new Object();
        static int number = 1;
    }

    static class Second {
        static Object held = new int[3];
        static int number = 2;
    }

    static int sum;

    public static void main(String[] args) throws InterruptedException {
        Thread first = new Thread(() -> First.number++);
        Thread second = new Thread(() -> Second.number++);
        first.start();
        second.start();
        first.join();
        second.join();
        sum = First.number + Second.number;
    }
}
