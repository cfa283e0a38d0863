/** The new thread reads and ends; whoever started it goes on to write. */
class WriterForgets {
    int x;
    static volatile int flag;

    public static void main(String[] args) {
        WriterForgets one = new WriterForgets();
        new Thread(() -> {
            flag = 1;
            System.out.println(one.x);
        }).start();
        if (flag == 1) {
            one.x = 1;
        }
    }
}
