class InstanceTests {
    interface I { }

    interface J extends I { }

    static class A implements J { }

    static class B extends A { }

    static String test(Object o) {
        return (o instanceof I) + " " + (o instanceof J) + " " + (o instanceof A) + " " + (o instanceof B)
            + " " + (o instanceof Object[]) + " " + (o instanceof int[]) + " " + (o instanceof I[])
            + " " + (o instanceof Cloneable) + " " + (o instanceof java.io.Serializable);
    }

    public static void main(String[] args) {
        Object[] all = {null, new A(), new B(), new Object(), new A[0], new B[0][], new int[0], new int[0][], "s"};
        for (Object o : all) {
            System.out.println(test(o));
        }
        Object o = new B();
        if (o instanceof A a && !(a instanceof Runnable)) {
            System.out.println(((J) a).getClass().getName());
        }
        System.out.println((A[]) null);
        try {
            Object bad = new A[1];
            System.out.println((B[]) bad);
        } catch (ClassCastException e) {
            System.out.println(e.getMessage());
        }
        try {
            Object bad = new int[1];
            System.out.println((long[]) bad);
        } catch (ClassCastException e) {
            System.out.println(e.getMessage());
        }
    }
}
