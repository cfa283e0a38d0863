/** Whoever starts a thread reads a field and forgets the object; the thread writes the field. */
class ReadAndForgotten {
    int x;

    public static void main(String[] args) {
        ReadAndForgotten one = new ReadAndForgotten();
        new Thread(() -> one.x = 1).start();
        System.out.println(one.x);
    }
}
