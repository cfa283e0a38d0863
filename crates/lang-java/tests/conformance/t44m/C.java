// An uncaught exception in main.
class C {
    static void work(int depth) {
        if (depth == 0) {
            throw new IllegalStateException("broken");
        }
        work(depth - 1);
    }

    public static void main(String[] args) {
        System.out.println("before");
        work(2);
    }
}
