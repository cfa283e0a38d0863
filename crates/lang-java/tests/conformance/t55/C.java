// equals, hashCode and toString of records.
class C {
    record D(double x) { }

    record Q() { }

    record Mixed(int i, String s, boolean z) { }

    public static void main(String[] args) {
        System.out.println(new D(-0.0).equals(new D(0.0)));
        System.out.println(new D(Double.NaN).equals(new D(Double.NaN)));
        System.out.println(new Q() + " " + new Q().hashCode());
        Mixed m = new Mixed(3, null, true);
        System.out.println(m + " " + m.hashCode());
    }
}
