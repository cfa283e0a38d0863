// Fields of a null object, read and written.
class C {
    static C c;
    int x;

    public static void main(String[] args) {
        try {
            System.out.println(c.x);
        } catch (NullPointerException e) {
            System.out.println(e.getMessage());
        }
        try {
            c.x = 1;
        } catch (NullPointerException e) {
            System.out.println(e.getMessage());
        }
    }
}
