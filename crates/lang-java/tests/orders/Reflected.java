// weak: the fields are accessed by reflection, without any order
class Reflected {
    static int x, y, a, b;

    public static void main(String[] args) throws Exception {
        var ofX = Reflected.class.getDeclaredField("x");
        var ofY = Reflected.class.getDeclaredField("y");
        Thread t = new Thread(() -> {
            try {
                ofX.setInt(null, 1);
                a = ofY.getInt(null);
            } catch (IllegalAccessException e) { throw new Error(e); }
        });
        t.start();
        ofY.setInt(null, 1);
        b = ofX.getInt(null);
        t.join();
        System.out.println(a + b);
    }
}
