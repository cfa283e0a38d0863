// strong with all reductions: nobody writes what several threads read by reflection, or a lock keeps the others out
class ReflectedApart {
    static int known = 3;
    static int counted;
    static volatile int seen;

    static synchronized void count(java.lang.reflect.Field field) throws IllegalAccessException {
        field.setInt(null, field.getInt(null) + 1);
    }

    public static void main(String[] args) throws Exception {
        var ofKnown = ReflectedApart.class.getDeclaredField("known");
        var ofCounted = ReflectedApart.class.getDeclaredField("counted");
        var ofSeen = ReflectedApart.class.getDeclaredField("seen");
        Thread t = new Thread(() -> {
            try {
                count(ofCounted);
                ofSeen.setInt(null, ofKnown.getInt(null));
            } catch (IllegalAccessException e) { throw new Error(e); }
        });
        t.start();
        count(ofCounted);
        System.out.println(ofKnown.getInt(null) + ofSeen.getInt(null));
    }
}
