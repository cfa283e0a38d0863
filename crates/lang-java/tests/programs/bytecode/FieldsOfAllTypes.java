class FieldsOfAllTypes {
    boolean z;
    byte b;
    char c;
    short s;
    int i;
    long l;
    float f;
    double d;
    Object o;
    static boolean sz;
    static byte sb;
    static char sc;
    static short ss;
    static int si;
    static long sl;
    static float sf;
    static double sd;
    static Object so;

    String all() {
        return z + " " + b + " " + (int) c + " " + s + " " + i + " " + l + " " + f + " " + d + " " + o;
    }

    static String allStatic() {
        return sz + " " + sb + " " + (int) sc + " " + ss + " " + si + " " + sl + " " + sf + " " + sd + " " + so;
    }

    public static void main(String[] args) {
        FieldsOfAllTypes x = new FieldsOfAllTypes();
        System.out.println(x.all());
        System.out.println(allStatic());
        x.z = sz = true;
        x.b = sb = (byte) 255;
        x.c = sc = '\uabcd';
        x.s = ss = (short) 65535;
        x.i = si = 0x7fffffff;
        x.l = sl = 0x7fffffffffffffffL;
        x.f = sf = 1.1f;
        x.d = sd = 1.1;
        x.o = so = "text";
        System.out.println(x.all());
        System.out.println(allStatic());
        x.b++;
        x.c--;
        x.s++;
        x.i++;
        x.l++;
        System.out.println(x.all());
    }
}
