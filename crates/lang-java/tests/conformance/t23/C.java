// The value of an empty Optional.
import java.util.NoSuchElementException;
import java.util.Optional;

class C {
    public static void main(String[] args) {
        try {
            System.out.println(Optional.empty().get());
        } catch (NoSuchElementException e) {
            System.out.println(e.getMessage());
        }
    }
}
