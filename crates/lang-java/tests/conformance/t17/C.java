// charAt beyond the end.
class C {
    public static void main(String[] args) {
        try {
            System.out.println("abc".charAt(5));
        } catch (StringIndexOutOfBoundsException e) {
            System.out.println(e.getMessage());
        }
    }
}
