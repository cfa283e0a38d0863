class MultiArrays {
    public static void main(String[] args) {
        int[][][] cube = new int[2][3][4];
        for (int i = 0; i < 2; i++) {
            for (int j = 0; j < 3; j++) {
                for (int k = 0; k < 4; k++) {
                    cube[i][j][k] = i * 100 + j * 10 + k;
                }
            }
        }
        System.out.println(cube[1][2][3] + " " + cube[0][1].length);
        String[][] part = new String[2][];
        System.out.println(part[0] == null);
        part[1] = new String[] {"a", "b"};
        System.out.println(part[1][1] + part.length);
        long[][] ragged = {{1}, {2, 3}, {}};
        long sum = 0;
        for (long[] row : ragged) {
            for (long v : row) {
                sum += v;
            }
        }
        System.out.println(sum + " " + ragged[2].length);
        Object o = cube;
        System.out.println((o instanceof Object[]) + " " + (o instanceof Object[][]) + " " + (o instanceof Object[][][]));
        System.out.println(new Object[0][1][].getClass().getName() + " " + cube[0].getClass().getSimpleName());
        try {
            System.out.println(new int[2][-1][0].length);
        } catch (NegativeArraySizeException e) {
            System.out.println(e.getMessage());
        }
    }
}
