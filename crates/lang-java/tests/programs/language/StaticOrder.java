class StaticOrder {
    static void say(String s) {
        System.out.println(s);
    }

    static {
        say("first block, later = " + StaticOrder.later);
    }

    static int later = init("later");

    static int init(String s) {
        say("init " + s);
        return 5;
    }

    static {
        say("second block, later = " + later);
    }

    static class P {
        static {
            say("P");
        }

        static int x = 1;

        static void m() {
            say("P.m");
        }
    }

    static class Q extends P {
        static {
            say("Q");
        }
    }

    static class R extends P {
        static {
            say("R");
        }
    }

    interface I {
        int K = init("I.K");
    }

    static class S implements I {
        static {
            say("S");
        }
    }

    public static void main(String[] args) throws Exception {
        say("main");
        Q.m();
        say("x " + Q.x);
        new R();
        new S();
        say("K " + S.K);
        Q[] qs = new Q[1];
        Class.forName("StaticOrder$Q");
        say("done " + qs.length);
    }
}
