// Small traps of the language.
class C {
    @SuppressWarnings("removal")
    public static void main(String[] args) {
        boolean yes = args.length == 0;
        System.out.println(yes ? 1 : 2.0);
        Integer a = 127;
        Integer b = 127;
        Integer c = 128;
        Integer d = 128;
        System.out.println((a == b) + " " + (c == d));
        int i = 0;
        i = i++ + i++;
        System.out.println(i);
        byte n = 10;
        n += 300;
        System.out.println(n);
        String hello = "hello";
        String lo = "lo";
        System.out.println(("hel" + "lo") == hello);
        System.out.println(("hel" + lo) == hello);
        System.out.println(("hel" + lo).intern() == hello);
    }
}
