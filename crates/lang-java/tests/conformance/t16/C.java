// A failed cast of a program's class.
class C {
    public static void main(String[] args) {
        Object o = new C();
        try {
            ((Runnable) o).run();
        } catch (ClassCastException e) {
            System.out.println(e.getMessage());
        }
    }
}
