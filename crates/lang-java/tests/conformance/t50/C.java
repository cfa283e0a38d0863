// A method reference bound to null.
import java.util.function.IntSupplier;

class C {
    public static void main(String[] args) {
        String q = null;
        try {
            IntSupplier s = q::length;
            System.out.println("made " + (s != null));
        } catch (NullPointerException e) {
            System.out.println(e.getMessage());
        }
    }
}
