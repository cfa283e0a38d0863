class Constants {
    static final long LONG = 0x123456789ABCDEFL;
    static final double DOUBLE = 2.718281828459045;
    static final float FLOAT = 3.25f;
    static final String TEXT = "con" + "stant" + 1 + 'c' + 2L + 1.5f + true;

    public static void main(String[] args) {
        int[] small = {-1, 0, 1, 2, 3, 4, 5};
        int[] bytes = {6, -2, 127, -128};
        int[] shorts = {128, -129, 32767, -32768};
        int[] ints = {32768, -32769, 1 << 30};
        int sum = 0;
        for (int[] group : new int[][] {small, bytes, shorts, ints}) {
            for (int v : group) {
                sum = sum * 31 + v;
            }
        }
        System.out.println(sum);
        System.out.println(0L + " " + 1L + " " + 2L + " " + LONG);
        System.out.println(0f + " " + 1f + " " + 2f + " " + FLOAT);
        System.out.println(0d + " " + 1d + " " + 3d + " " + DOUBLE);
        System.out.println(TEXT);
        Object nothing = null;
        System.out.println(nothing + " " + Constants.class + " " + int[].class + " " + void.class);
    }
}
