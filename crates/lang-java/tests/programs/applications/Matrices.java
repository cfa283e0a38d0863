import java.util.Arrays;

class Matrices {
    static double[][] multiply(double[][] a, double[][] b) {
        double[][] c = new double[a.length][b[0].length];
        for (int i = 0; i < a.length; i++)
            for (int j = 0; j < b[0].length; j++)
                for (int k = 0; k < b.length; k++) c[i][j] += a[i][k] * b[k][j];
        return c;
    }

    static double determinant(double[][] m) {
        int n = m.length;
        double det = 1;
        for (int i = 0; i < n; i++) {
            int p = i;
            for (int r = i + 1; r < n; r++) if (Math.abs(m[r][i]) > Math.abs(m[p][i])) p = r;
            if (m[p][i] == 0) return 0;
            if (p != i) {
                double[] t = m[p];
                m[p] = m[i];
                m[i] = t;
                det = -det;
            }
            det *= m[i][i];
            for (int r = i + 1; r < n; r++) {
                double f = m[r][i] / m[i][i];
                for (int c = i; c < n; c++) m[r][c] -= f * m[i][c];
            }
        }
        return det;
    }

    static long[][] power(long[][] m, int n) {
        long[][] r = {{1, 0}, {0, 1}};
        for (; n > 0; n >>= 1) {
            if ((n & 1) == 1) r = mul(r, m);
            m = mul(m, m);
        }
        return r;
    }

    static long[][] mul(long[][] a, long[][] b) {
        return new long[][] {{a[0][0] * b[0][0] + a[0][1] * b[1][0], a[0][0] * b[0][1] + a[0][1] * b[1][1]}, {a[1][0] * b[0][0] + a[1][1] * b[1][0], a[1][0] * b[0][1] + a[1][1] * b[1][1]}};
    }

    public static void main(String[] args) {
        System.out.println(Arrays.deepToString(multiply(new double[][] {{1, 2}, {3, 4}}, new double[][] {{0.5, -1}, {2, 0}})));
        System.out.println(determinant(new double[][] {{2, -1, 0}, {-1, 2, -1}, {0, -1, 2}}) + " " + determinant(new double[][] {{1, 2}, {2, 4}}));
        System.out.println(power(new long[][] {{1, 1}, {1, 0}}, 80)[0][1]);
        try {
            multiply(new double[][] {{1, 2, 3}}, new double[][] {{1}, {2}, {3}, {4}});
        } catch (ArrayIndexOutOfBoundsException e) {
            System.out.println(e.getMessage());
        }
    }
}
