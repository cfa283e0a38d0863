class LookupSwitches {
    static int sparse(int n) {
        switch (n) {
            case Integer.MIN_VALUE: return 1;
            case -1000: return 2;
            case 0: return 3;
            case 99999: return 4;
            case Integer.MAX_VALUE: return 5;
            default: return -1;
        }
    }

    static int chars(char c) {
        switch (c) {
            case 'a': case 'e': case 'i': case 'o': case 'u': return 1;
            case '\uffff': return 2;
            default: return 0;
        }
    }

    static int bytes(byte b) {
        switch (b) {
            case -128: return 1;
            case 127: return 2;
            default: return 3;
        }
    }

    public static void main(String[] args) {
        for (int n : new int[] {Integer.MIN_VALUE, -1000, -999, 0, 99999, Integer.MAX_VALUE}) {
            System.out.println(sparse(n));
        }
        for (char c : "hello\uffff".toCharArray()) {
            System.out.println(chars(c));
        }
        System.out.println(bytes((byte) 128) + bytes((byte) 127) + bytes((byte) 0));
    }
}
