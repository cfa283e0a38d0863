import java.util.Arrays;
import java.util.Collections;
import java.util.List;

class ArraysHelpers {
    public static void main(String[] args) {
        int[] a = {5, 3, 9, 1, 7};
        int[] b = a.clone();
        Arrays.sort(b);
        System.out.println(Arrays.toString(a) + Arrays.toString(b) + Arrays.binarySearch(b, 7) + Arrays.binarySearch(b, 4));
        System.out.println(Arrays.equals(a, b) + " " + Arrays.hashCode(a) + " " + Arrays.compare(a, b) + " " + Arrays.mismatch(a, new int[] {5, 3, 0}));
        int[] big = new int[500];
        for (int i = 0; i < big.length; i++) big[i] = (i * 7919) % 1009;
        Arrays.sort(big);
        System.out.println(big[0] + " " + big[250] + " " + big[499] + " " + Arrays.stream(big).sum());
        long[] ls = {3, 1, 2};
        double[] ds = {0.0, -0.0, Double.NaN, -1, Double.NEGATIVE_INFINITY};
        char[] cs = "sorting".toCharArray();
        byte[] bs = {3, -1, 2};
        Arrays.sort(ls);
        Arrays.sort(ds);
        Arrays.sort(cs);
        Arrays.sort(bs);
        System.out.println(Arrays.toString(ls) + Arrays.toString(ds) + new String(cs) + Arrays.toString(bs));
        Integer[] boxed = {3, 1, 2};
        Arrays.sort(boxed, Collections.reverseOrder());
        System.out.println(Arrays.toString(boxed) + Arrays.asList(boxed));
        Arrays.fill(a, 1, 3, 0);
        System.out.println(Arrays.toString(Arrays.copyOf(a, 7)) + Arrays.toString(Arrays.copyOfRange(a, 3, 8)));
        int[][] deep = {{1, 2}, {3}};
        System.out.println(Arrays.deepToString(deep) + Arrays.deepEquals(deep, new int[][] {{1, 2}, {3}}) + Arrays.deepHashCode(deep));
        Arrays.setAll(a, i -> i * i);
        Arrays.parallelPrefix(a, Integer::sum);
        System.out.println(Arrays.toString(a) + Arrays.toString((int[]) null));
        List<String> view = Arrays.asList("x", "y");
        view.set(0, "z");
        System.out.println(view + " " + view.getClass().getSimpleName());
        String[] words = {"bb", "a", "ccc", "dd", "e"};
        Arrays.sort(words, (x, y) -> y.length() - x.length());
        System.out.println(String.join(",", words));
        Arrays.sort(words, 1, 4);
        System.out.println(String.join(",", words));
    }
}
