class TextAlgorithms {
    static int distance(String a, String b) {
        int[][] d = new int[a.length() + 1][b.length() + 1];
        for (int i = 0; i <= a.length(); i++) {
            for (int j = 0; j <= b.length(); j++) {
                d[i][j] = i == 0 ? j : j == 0 ? i
                    : Math.min(Math.min(d[i - 1][j], d[i][j - 1]) + 1, d[i - 1][j - 1] + (a.charAt(i - 1) == b.charAt(j - 1) ? 0 : 1));
            }
        }
        return d[a.length()][b.length()];
    }

    static boolean palindrome(String s) {
        String t = s.toLowerCase().replaceAll("[^a-z]", "");
        return new StringBuilder(t).reverse().toString().equals(t);
    }

    static String caesar(String s, int k) {
        StringBuilder b = new StringBuilder();
        for (char c : s.toCharArray()) {
            b.append(Character.isLetter(c) ? (char) ((c - 'a' + k + 26) % 26 + 'a') : c);
        }
        return b.toString();
    }

    static String roman(int n) {
        int[] v = {1000, 900, 500, 400, 100, 90, 50, 40, 10, 9, 5, 4, 1};
        String[] t = {"M", "CM", "D", "CD", "C", "XC", "L", "XL", "X", "IX", "V", "IV", "I"};
        StringBuilder b = new StringBuilder();
        for (int i = 0; i < v.length; i++) {
            while (n >= v[i]) {
                b.append(t[i]);
                n -= v[i];
            }
        }
        return b.toString();
    }

    public static void main(String[] args) {
        System.out.println(distance("kitten", "sitting") + " " + distance("", "abc"));
        System.out.println(palindrome("A man, a plan, a canal: Panama") + " " + palindrome("nope"));
        System.out.println(caesar(caesar("hello, world", 3), -3) + " " + caesar("xyz", 5));
        System.out.println(roman(1994) + " " + roman(3999));
    }
}
