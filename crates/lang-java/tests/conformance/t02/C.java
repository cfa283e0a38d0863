// A method called on a null result.
class C {
    static Object nul() {
        return null;
    }

    public static void main(String[] args) {
        try {
            nul().toString();
        } catch (NullPointerException e) {
            System.out.println(e.getMessage());
        }
    }
}
