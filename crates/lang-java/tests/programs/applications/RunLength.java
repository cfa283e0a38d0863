class RunLength {
    static String encode(String s) {
        StringBuilder b = new StringBuilder();
        for (int i = 0, j; i < s.length(); i = j) {
            for (j = i; j < s.length() && s.charAt(j) == s.charAt(i); j++) { }
            if (j - i > 1) b.append(j - i);
            b.append(s.charAt(i));
        }
        return b.toString();
    }

    static String decode(String s) {
        StringBuilder b = new StringBuilder();
        int n = 0;
        for (char c : s.toCharArray()) {
            if (Character.isDigit(c)) {
                n = n * 10 + c - '0';
            } else {
                b.append(String.valueOf(c).repeat(Math.max(1, n)));
                n = 0;
            }
        }
        return b.toString();
    }

    static String lookAndSay(int n) {
        String s = "1";
        for (int i = 1; i < n; i++) {
            StringBuilder b = new StringBuilder();
            for (int j = 0, k; j < s.length(); j = k) {
                k = j;
                while (k < s.length() && s.charAt(k) == s.charAt(j)) k++;
                b.append(k - j).append(s.charAt(j));
            }
            s = b.toString();
        }
        return s;
    }

    public static void main(String[] args) {
        String e = encode("WWWWWBBWCCCCCCCCCCCCD");
        System.out.println(e + " " + decode(e) + " " + decode(encode("")).isEmpty());
        for (int i = 1; i < 8; i++) System.out.println(lookAndSay(i));
    }
}
