// Every kind of operand in one concatenation.
class C {
    public static void main(String[] args) {
        int one = 1;
        char a = 'a';
        long l = 1L;
        float f = 1.0f;
        double d = 1.0;
        boolean t = true;
        Object nothing = null;
        byte b = (byte) -1;
        System.out.println("" + one + a + l + f + d + t + nothing + b);
    }
}
