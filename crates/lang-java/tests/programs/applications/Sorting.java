import java.util.Arrays;

class Sorting {
    static void quick(int[] a, int lo, int hi) {
        if (lo >= hi) return;
        int p = a[(lo + hi) >>> 1], i = lo, j = hi;
        while (i <= j) {
            while (a[i] < p) i++;
            while (a[j] > p) j--;
            if (i <= j) {
                int t = a[i];
                a[i++] = a[j];
                a[j--] = t;
            }
        }
        quick(a, lo, j);
        quick(a, i, hi);
    }

    static int[] merge(int[] a) {
        if (a.length < 2) return a;
        int[] l = merge(Arrays.copyOf(a, a.length / 2)), r = merge(Arrays.copyOfRange(a, a.length / 2, a.length));
        int[] out = new int[a.length];
        for (int i = 0, j = 0, k = 0; k < out.length; k++) {
            out[k] = j >= r.length || i < l.length && l[i] <= r[j] ? l[i++] : r[j++];
        }
        return out;
    }

    static void heap(int[] a) {
        for (int n = a.length / 2 - 1; n >= 0; n--) sift(a, n, a.length);
        for (int end = a.length - 1; end > 0; end--) {
            int t = a[0];
            a[0] = a[end];
            a[end] = t;
            sift(a, 0, end);
        }
    }

    static void sift(int[] a, int i, int n) {
        for (int c; (c = 2 * i + 1) < n; i = c) {
            if (c + 1 < n && a[c + 1] > a[c]) c++;
            if (a[i] >= a[c]) return;
            int t = a[i];
            a[i] = a[c];
            a[c] = t;
        }
    }

    public static void main(String[] args) {
        int[] base = new int[60];
        int x = 12345;
        for (int i = 0; i < base.length; i++) base[i] = (x = x * 1103515245 + 12345) >> 16 & 0xff;
        int[] q = base.clone(), h = base.clone();
        quick(q, 0, q.length - 1);
        heap(h);
        System.out.println(Arrays.toString(q));
        System.out.println(Arrays.equals(q, h) + " " + Arrays.equals(q, merge(base)));
    }
}
