// substring with crossed bounds.
class C {
    public static void main(String[] args) {
        try {
            System.out.println("abc".substring(2, 1));
        } catch (StringIndexOutOfBoundsException e) {
            System.out.println(e.getMessage());
        }
    }
}
