// javac: -g
// Local variables and parameters with debug names.
class C {
    static int local() {
        int pad = 3;
        String s = null;
        return pad + s.length();
    }

    static int parameter(int pad, String given) {
        return pad + given.length();
    }

    public static void main(String[] args) {
        try {
            local();
        } catch (NullPointerException e) {
            System.out.println(e.getMessage());
        }
        try {
            parameter(1, null);
        } catch (NullPointerException e) {
            System.out.println(e.getMessage());
        }
        int[][] rows = new int[2][];
        int i = 1;
        try {
            rows[i][0]++;
        } catch (NullPointerException e) {
            System.out.println(e.getMessage());
        }
    }
}
