// Two classes initialised crosswise by two threads: neither ever ends, and no interrupt helps.
class C {
    static volatile boolean aBegun;
    static volatile boolean bBegun;

    static class A {
        static int v;

        static {
            aBegun = true;
            while (!bBegun) {
                Thread.onSpinWait();
            }
            v = B.w + 1;
        }
    }

    static class B {
        static int w;

        static {
            bBegun = true;
            while (!aBegun) {
                Thread.onSpinWait();
            }
            w = A.v + 1;
        }
    }

    public static void main(String[] args) throws InterruptedException {
        Thread a = new Thread(() -> System.out.println(A.v));
        Thread b = new Thread(() -> System.out.println(B.w));
        a.setDaemon(true);
        b.setDaemon(true);
        a.start();
        b.start();
        a.join(100);
        b.join(100);
        a.interrupt();
        b.interrupt();
        a.join(100);
        System.out.println(a.getState() + " " + b.getState());
        System.out.println(a.isAlive() + " " + b.isAlive());
    }
}
