// What initialises a class, in which order, and what does not.
class C {
    static int say(String text) {
        System.out.println(text);
        return text.length();
    }

    interface WithDefault {
        int N = say("interface with default");

        default void m() {
        }
    }

    interface Plain {
        int N = say("interface without default");
    }

    static class Super implements WithDefault {
        static {
            say("superclass");
        }
    }

    static class Sub extends Super implements Plain {
        static final int CONSTANT = 5;
        static Integer boxed = 7;

        static {
            say("class");
        }
    }

    public static void main(String[] args) {
        Object array = new Sub[2];
        Object literal = Sub.class;
        int constant = Sub.CONSTANT;
        boolean instance = array instanceof Sub[] || literal instanceof Sub;
        say("nothing yet " + constant + instance);
        System.out.println(Sub.boxed);
    }
}
