// Local variables and parameters without debug names.
class C {
    static int local() {
        int pad = 3;
        String s = null;
        return pad + s.length();
    }

    static int parameter(String s) {
        return s.length();
    }

    int instance(long wide, String s) {
        return s.length();
    }

    public static void main(String[] args) {
        try {
            local();
        } catch (NullPointerException e) {
            System.out.println(e.getMessage());
        }
        try {
            parameter(null);
        } catch (NullPointerException e) {
            System.out.println(e.getMessage());
        }
        try {
            new C().instance(1, null);
        } catch (NullPointerException e) {
            System.out.println(e.getMessage());
        }
    }
}
