// race: byte[]
/** An array that the library fills belongs to the program. */
class HandedOver {
    static final byte[] shared = new byte[1];

    public static void main(String[] args) throws Exception {
        Thread t = new Thread(() -> new java.io.ByteArrayInputStream(new byte[] {5}).read(shared, 0, 1));
        t.start();
        System.out.println(shared[0]);
        t.join();
    }
}
