// Stores that the element type forbids.
class C {
    public static void main(String[] args) {
        Object[] a = new String[1];
        try {
            a[0] = 1;
        } catch (ArrayStoreException e) {
            System.out.println(e);
        }
        a[0] = null;
        System.out.println(a[0]);
    }
}
