import java.util.Objects;

class ObjectMethods {
    final int id;
    final String tag;

    ObjectMethods(int id, String tag) {
        this.id = id;
        this.tag = tag;
    }

    @Override
    public boolean equals(Object o) {
        return o instanceof ObjectMethods m && m.id == id && Objects.equals(m.tag, tag);
    }

    @Override
    public int hashCode() {
        return Objects.hash(id, tag);
    }

    @Override
    public String toString() {
        return tag + "#" + id;
    }

    public static void main(String[] args) {
        ObjectMethods a = new ObjectMethods(1, "t");
        System.out.println(a.equals(new ObjectMethods(1, "t")) + " " + a.equals(null) + " " + a.hashCode() + " " + a);
        Object plain = new Object();
        System.out.println(plain.equals(plain) + " " + (plain.hashCode() == System.identityHashCode(plain)) + " " + (System.identityHashCode(null)));
        System.out.println(plain.toString().startsWith("java.lang.Object@"));
        System.out.println(new int[0].toString().startsWith("[I@") + " " + a.getClass().getName());
        System.out.println(Objects.requireNonNullElse(null, "else") + Objects.toString(null, "dflt") + Objects.hashCode(null) + Objects.isNull(a));
        try {
            Objects.requireNonNull(null, "named");
        } catch (NullPointerException e) {
            System.out.println(e.getMessage());
        }
        try {
            Objects.checkIndex(5, 3);
        } catch (IndexOutOfBoundsException e) {
            System.out.println(e.getMessage());
        }
    }
}
