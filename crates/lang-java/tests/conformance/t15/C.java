// A failed cast between two classes of the JDK.
class C {
    public static void main(String[] args) {
        Object o = "s";
        try {
            System.out.println((Integer) o);
        } catch (ClassCastException e) {
            System.out.println(e.getMessage());
        }
    }
}
