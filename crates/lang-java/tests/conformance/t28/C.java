// arraycopy beyond the end of the destination.
class C {
    public static void main(String[] args) {
        try {
            System.arraycopy(new int[2], 0, new int[2], 1, 2);
        } catch (ArrayIndexOutOfBoundsException e) {
            System.out.println(e.getMessage());
        }
    }
}
