class XorShift {
    private long s;

    XorShift(long s) {
        this.s = s;
    }

    long next() {
        s ^= s << 13;
        s ^= s >>> 7;
        s ^= s << 17;
        return s;
    }

    int below(int n) {
        return (int) ((next() >>> 1) % n);
    }

    double unit() {
        return (next() >>> 11) * 0x1.0p-53;
    }

    public static void main(String[] args) {
        XorShift r = new XorShift(88172645463325252L);
        int[] histogram = new int[10];
        double sum = 0;
        for (int i = 0; i < 500; i++) {
            histogram[r.below(10)]++;
            sum += r.unit();
        }
        StringBuilder b = new StringBuilder();
        for (int h : histogram) b.append(h).append(' ');
        System.out.println(b + "" + sum + " " + r.next());
        int inside = 0;
        for (int i = 0; i < 1000; i++) {
            double x = r.unit(), y = r.unit();
            if (x * x + y * y < 1) inside++;
        }
        System.out.println(4.0 * inside / 1000);
    }
}
