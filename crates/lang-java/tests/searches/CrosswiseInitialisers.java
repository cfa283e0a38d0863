// A superclass whose initialiser needs the subclass, and two threads that begin at either end.
// ends: deadlock
// ends: done
class CrosswiseInitialisers {
    static class Base {
        static final Object MADE = new Sub();
    }

    static class Sub extends Base {
        static int unused = Integer.parseInt("1");
    }

    public static void main(String[] args) throws InterruptedException {
        Thread other = new Thread(() -> new Sub());
        other.start();
        Object made = Base.MADE;
        other.join();
        System.out.println("done");
    }
}
