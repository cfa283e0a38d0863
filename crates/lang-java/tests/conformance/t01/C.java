// A method called on a null static field.
class C {
    static Object f = null;

    public static void main(String[] args) {
        try {
            f.hashCode();
        } catch (NullPointerException e) {
            System.out.println(e.getMessage());
        }
    }
}
