// arraycopy stops at the first element that does not fit; what came before stays.
class C {
    public static void main(String[] args) {
        String[] d = new String[2];
        try {
            System.arraycopy(new Object[] {"a", 1}, 0, d, 0, 2);
        } catch (ArrayStoreException e) {
            System.out.println(e);
        }
        System.out.println(d[0]);
        System.out.println(d[1]);
    }
}
