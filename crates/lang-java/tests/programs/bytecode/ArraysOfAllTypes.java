class ArraysOfAllTypes {
    public static void main(String[] args) {
        boolean[] z = {true, false};
        byte[] b = {1, (byte) 200};
        char[] c = {'x', '\u1234'};
        short[] s = {1, (short) 40000};
        int[] i = {1, 2};
        long[] l = {1L, 1L << 40};
        float[] f = {1f, 2.5f};
        double[] d = {1, 2.5};
        Object[] o = {"s", 1};
        z[1] = !z[0];
        b[0] += 127;
        c[0]++;
        s[0] -= 3;
        i[1] <<= 4;
        l[0] += l[1];
        f[0] /= 3;
        d[0] /= 3;
        o[1] = o;
        System.out.println(z[0] + " " + z[1] + " " + b[0] + " " + b[1] + " " + c[0] + (int) c[1]);
        System.out.println(s[0] + " " + s[1] + " " + i[0] + " " + i[1] + " " + l[0] + " " + f[0] + " " + d[0]);
        System.out.println(((Object[]) o[1])[0] + " " + z.length + b.length + c.length + s.length + o.length);
        System.out.println(new boolean[1][0].length + " " + new char[3][2].length);
        System.out.println(z.getClass() + " " + b.getClass() + " " + c.getClass() + " " + s.getClass() + " " + i.getClass());
        System.out.println(l.getClass() + " " + f.getClass() + " " + d.getClass() + " " + o.getClass() + " " + new int[0][][].getClass());
    }
}
