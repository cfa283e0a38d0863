// no race
class HandedOverInTurn {
    static final byte[] shared = new byte[1];

    public static void main(String[] args) throws Exception {
        Thread t = new Thread(() -> new java.io.ByteArrayInputStream(new byte[] {5}).read(shared, 0, 1));
        t.start();
        t.join();
        System.out.println(shared[0]);
    }
}
