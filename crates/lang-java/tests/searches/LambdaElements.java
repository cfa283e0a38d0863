// Elements that lambdas of a nested class count up are shared like any other.
// ends: 1
// ends: 2
class LambdaElements {
    static class Inner {
        static int[] counts = new int[1];

        static Runnable counting() {
            return () -> counts[0]++;
        }
    }

    public static void main(String[] args) throws InterruptedException {
        Thread a = new Thread(Inner.counting());
        Thread b = new Thread(Inner.counting());
        a.start();
        b.start();
        a.join();
        b.join();
        System.out.println(Inner.counts[0]);
    }
}
