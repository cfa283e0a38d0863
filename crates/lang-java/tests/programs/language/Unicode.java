class Unicode {
    static final String \u006eame = "escaped";
    static int größe = 3;

    public static void main(String[] args) {
        System.out.println(name + größe);
        String s = "a\u00e9\u4e2d\ud83d\ude00z";
        System.out.println(s.length() + " " + s.codePointCount(0, s.length()) + " " + s.codePointAt(3) + " " + (int) s.charAt(4));
        s.codePoints().forEach(c -> System.out.print(Integer.toHexString(c) + "/" + Character.charCount(c) + " "));
        System.out.println();
        System.out.println(new StringBuilder(s).reverse().equals(new StringBuilder("z\ud83d\ude00\u4e2d\u00e9a")));
        System.out.println(s.indexOf(0x1f600) + " " + s.offsetByCodePoints(0, 4) + " " + Character.toChars(0x1f600).length);
        System.out.println(s.toUpperCase() + " " + "STRASSE \u0130".toLowerCase().length() + " " + "stra\u00dfe".toUpperCase());
        System.out.println(Character.isSurrogate(s.charAt(3)) + " " + Character.getName('a') + " " + Character.isSupplementaryCodePoint(0x1f600));
        System.out.println("\u0041\t\101\0".length() + " " + '\'' + "\"\\");
        System.out.println(s);
    }
}
