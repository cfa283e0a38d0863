/** Two threads, each of which is the first to touch a class; the class remembers whether it was before the other. */
class ClassesInOrder {
    static class Count {
        static int classes;

        static synchronized int next() {
            return classes++;
        }
    }

    static class First {
        static Object held = new Object();
        static int number = Count.next();
    }

    static class Second {
        static Object held = new int[3];
        static int number = Count.next();
    }

    static int sum;

    public static void main(String[] args) throws InterruptedException {
        Thread first = new Thread(() -> First.number += 10);
        Thread second = new Thread(() -> Second.number += 10);
        first.start();
        second.start();
        first.join();
        second.join();
        sum = First.number + Second.number;
    }
}
