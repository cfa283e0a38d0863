class StackShuffles {
    int i = 1;
    long l = 2;
    static int si = 3;
    static long sl = 4;
    static double sd = 0.5;

    StackShuffles self() {
        System.out.println("self");
        return this;
    }

    static int[] array(int[] a) {
        System.out.println("array");
        return a;
    }

    public static void main(String[] args) {
        StackShuffles s = new StackShuffles();
        int a = s.i++;
        int b = ++s.i;
        long c = s.l++;
        long d = s.l += 5;
        System.out.println(a + " " + b + " " + c + " " + d + " " + s.i + " " + s.l);
        int e = si++ + ++si;
        long f = sl-- - --sl;
        double g = sd *= 3;
        System.out.println(e + " " + f + " " + g);
        int[] ia = {1, 2};
        long[] la = {10, 20};
        double[] da = {1.5};
        int x = ia[0]++ + (ia[1] += 4);
        long y = la[1]-- + (la[0] *= 2);
        double z = da[0]++;
        System.out.println(x + " " + y + " " + z + " " + ia[0] + ia[1] + la[0] + la[1] + da[0]);
        int v = s.self().i = array(ia)[1] = 9;
        long w = s.self().l = la[0] = 77L;
        System.out.println(v + " " + w + " " + s.i + " " + ia[1] + " " + la[0]);
        Integer boxed = 5;
        Integer old = boxed++;
        System.out.println(old + " " + boxed);
        String[] texts = {"p"};
        texts[0] += "q" + (texts[0] += "r");
        System.out.println(texts[0]);
    }
}
