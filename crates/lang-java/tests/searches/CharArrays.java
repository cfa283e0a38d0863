// Characters that become a string may change while they are copied.
// ends: aa
// ends: ab
// ends: ba
// ends: bb
class CharArrays {
    static final char[] CHARS = {'a', 'a'};

    public static void main(String[] args) throws InterruptedException {
        Thread other = new Thread(() -> {
            CHARS[0] = 'b';
            CHARS[1] = 'b';
        });
        other.start();
        String copy = new String(CHARS);
        other.join();
        System.out.println(copy);
    }
}
