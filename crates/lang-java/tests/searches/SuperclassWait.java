// A subclass waits while another thread initialises its superclass.
// ends: 1 2
class SuperclassWait {
    static volatile int step;

    static class Base {
        static int value;

        static {
            step++;
            value = 1;
        }
    }

    static class Sub extends Base {
        static int more = value + 1;
    }

    public static void main(String[] args) throws InterruptedException {
        int[] seen = new int[1];
        Thread other = new Thread(() -> seen[0] = Base.value);
        other.start();
        int mine = Sub.more;
        other.join();
        System.out.println(seen[0] + " " + mine);
    }
}
