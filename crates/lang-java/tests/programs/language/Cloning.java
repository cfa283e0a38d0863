class Cloning implements Cloneable {
    int[] shared = {1, 2};
    int own = 3;
    String name = "n";

    @Override
    public Cloning clone() throws CloneNotSupportedException {
        return (Cloning) super.clone();
    }

    static class Not {
        Object copy() throws CloneNotSupportedException {
            return clone();
        }
    }

    public static void main(String[] args) throws Exception {
        Cloning a = new Cloning();
        Cloning b = a.clone();
        b.own = 4;
        b.shared[0] = 9;
        System.out.println(a.own + " " + a.shared[0] + " " + (a.shared == b.shared) + " " + b.name + " " + (b.getClass() == Cloning.class));
        int[][] m = {{1}, {2}};
        int[][] n = m.clone();
        n[0][0] = 5;
        n[1] = new int[] {7};
        System.out.println(m[0][0] + " " + m[1][0]);
        try {
            new Not().copy();
        } catch (CloneNotSupportedException e) {
            System.out.println(e.getMessage());
        }
    }
}
