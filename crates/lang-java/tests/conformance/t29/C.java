// arraycopy between different primitive types.
class C {
    public static void main(String[] args) {
        try {
            System.arraycopy(new int[2], 0, new long[2], 0, 1);
        } catch (ArrayStoreException e) {
            System.out.println(e.getMessage());
        }
    }
}
