// Integer.parseInt on bad input.
class C {
    public static void main(String[] args) {
        for (String s : new String[] {"x1", null}) {
            try {
                System.out.println(Integer.parseInt(s));
            } catch (NumberFormatException e) {
                System.out.println(e.getMessage());
            }
        }
    }
}
