/** Makes objects for ever and keeps the last one. */
class GarbageForEver {
    static volatile char[] shown = {'0'};

    public static void main(String[] args) {
        new Thread(() -> {
            while (true) {
                assert shown[0] == '0';
            }
        }).start();
        while (true) {
            char[] text = new char[4];
            text[0] = '0';
            shown = text;
            System.out.println(text);
        }
    }
}
