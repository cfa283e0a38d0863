import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

class Permutations {
    static void permute(List<Character> left, String done, List<String> out) {
        if (left.isEmpty()) out.add(done);
        for (int i = 0; i < left.size(); i++) {
            Character c = left.remove(i);
            permute(left, done + c, out);
            left.add(i, c);
        }
    }

    static boolean next(int[] a) {
        int i = a.length - 2;
        while (i >= 0 && a[i] >= a[i + 1]) i--;
        if (i < 0) return false;
        int j = a.length - 1;
        while (a[j] <= a[i]) j--;
        int t = a[i];
        a[i] = a[j];
        a[j] = t;
        Arrays.sort(a, i + 1, a.length);
        return true;
    }

    static List<List<Integer>> subsets(int n) {
        List<List<Integer>> all = new ArrayList<>();
        for (int m = 0; m < 1 << n; m++) {
            List<Integer> s = new ArrayList<>();
            for (int i = 0; i < n; i++) if ((m >> i & 1) == 1) s.add(i);
            all.add(s);
        }
        return all;
    }

    public static void main(String[] args) {
        List<String> out = new ArrayList<>();
        permute(new ArrayList<>(List.of('a', 'b', 'c')), "", out);
        System.out.println(out);
        int[] a = {1, 2, 2, 3};
        int n = 0;
        do n++; while (next(a));
        System.out.println(n + " " + subsets(3));
    }
}
