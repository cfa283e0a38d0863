class CompoundAssignments {
    static int index;

    static int[] next(int[] a) {
        index++;
        return a;
    }

    public static void main(String[] args) {
        byte b = 100;
        b += 100;
        b *= 2.5;
        char c = 'a';
        c += 1;
        c++;
        short s = 10;
        s /= 3.3;
        int i = 7;
        i /= 2.0;
        i *= 1.5f;
        i <<= 33L;
        long l = 5;
        l -= 2.9;
        float f = 1;
        f += 1e10;
        System.out.println(b + " " + c + " " + s + " " + i + " " + l + " " + f);
        int[] a = {1, 2, 3};
        next(a)[index] += index * 10;
        next(a)[index - 1]++;
        System.out.println(a[0] + " " + a[1] + " " + a[2] + " " + index);
        int x = 5;
        x = x++ * 2 + x;
        System.out.println(x);
        x += x++ + ++x;
        System.out.println(x);
        int k = 1;
        a[k] = k = 2;
        System.out.println(a[1] + " " + k);
        String t = "s";
        t += 1 + 2;
        t += 'c' + 1;
        t += (char) ('c' + 1);
        t += null;
        System.out.println(t);
        boolean z = true;
        z &= false;
        z |= true;
        z ^= true;
        System.out.println(z);
    }
}
