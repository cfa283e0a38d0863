// A reference to a static method does not initialise its class.
class C {
    static class Init {
        static {
            System.out.println("initialised");
        }

        static void sm() {
            System.out.println("called");
        }
    }

    public static void main(String[] args) {
        Runnable r = Init::sm;
        System.out.println("made");
        r.run();
    }
}
