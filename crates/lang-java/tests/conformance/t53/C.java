// Concatenation always makes a new string; a null toString counts as "null".
class C {
    public String toString() {
        return null;
    }

    public static void main(String[] args) {
        String s = new String("s");
        System.out.println(("" + s) == s);
        System.out.println((s + "") == s);
        System.out.println("" + new C());
    }
}
