// switch on a null string and a null enum; requireNonNull.
import java.util.Objects;

class C {
    enum E { A, B }

    static E e;

    static void onString() {
        String s = null;
        switch (s) {
            case "x":
                System.out.println("x");
                break;
            default:
                System.out.println("other");
        }
    }

    static void onEnum() {
        switch (e) {
            case A:
                System.out.println("a");
                break;
            default:
                System.out.println("other");
        }
    }

    public static void main(String[] args) {
        try {
            onString();
        } catch (NullPointerException x) {
            System.out.println(x.getMessage());
        }
        try {
            onEnum();
        } catch (NullPointerException x) {
            System.out.println(x.getMessage());
        }
        try {
            Objects.requireNonNull(null);
        } catch (NullPointerException x) {
            System.out.println(x.getMessage());
        }
    }
}
