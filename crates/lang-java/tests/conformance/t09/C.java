// A null boolean array; a null constant.
class C {
    static void store() {
        int p = 1;
        int q = 2;
        int r = p + q;
        int s = r;
        boolean[] b = null;
        b[0] = s > 0;
    }

    public static void main(String[] args) {
        try {
            store();
        } catch (NullPointerException e) {
            System.out.println(e.getMessage());
        }
        try {
            ((String) null).length();
        } catch (NullPointerException e) {
            System.out.println(e.getMessage());
        }
    }
}
