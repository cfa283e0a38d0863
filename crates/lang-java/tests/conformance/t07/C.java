// throw and synchronized with null.
class C {
    static void thrower() {
        RuntimeException e = null;
        throw e;
    }

    static void locker() {
        Object lock = null;
        synchronized (lock) {
            System.out.println("inside");
        }
    }

    public static void main(String[] args) {
        try {
            thrower();
        } catch (NullPointerException e) {
            System.out.println(e.getMessage());
        }
        try {
            locker();
        } catch (NullPointerException e) {
            System.out.println(e.getMessage());
        }
    }
}
