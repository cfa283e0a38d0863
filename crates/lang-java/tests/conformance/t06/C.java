// A null row of a two-dimensional array; a computed index is not repeated in the text.
class C {
    int[][] aa = new int[2][];

    static int get(int unused) {
        return unused;
    }

    static int row() {
        C k = new C();
        int i = 1;
        return k.aa[i][0];
    }

    static int computed() {
        C k = new C();
        int i = 0;
        return k.aa[get(i) + 1][0];
    }

    public static void main(String[] args) {
        try {
            row();
        } catch (NullPointerException e) {
            System.out.println(e.getMessage());
        }
        try {
            computed();
        } catch (NullPointerException e) {
            System.out.println(e.getMessage());
        }
    }
}
