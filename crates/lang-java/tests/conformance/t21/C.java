// An enum constant that does not exist.
class C {
    enum E { A }

    public static void main(String[] args) {
        try {
            System.out.println(E.valueOf("Z"));
        } catch (IllegalArgumentException e) {
            System.out.println(e.getMessage());
        }
    }
}
