class Basics {
    public static void main(String[] args) {
        String s = "The quick brown fox";
        System.out.println(s.length() + " " + s.charAt(4) + " " + s.indexOf('q') + " " + s.indexOf("brown") + " " + s.lastIndexOf('o') + " " + s.indexOf("cat"));
        System.out.println(s.substring(4) + "|" + s.substring(4, 9) + "|" + s.substring(19) + "|");
        System.out.println(s.toUpperCase() + s.toLowerCase() + s.replace('o', '0') + s.replace("quick", "slow") + s.replace("", "."));
        System.out.println(s.startsWith("The") + " " + s.startsWith("quick", 4) + " " + s.endsWith("fox") + " " + s.contains("own") + " " + s.isEmpty());
        System.out.println("b".compareTo("a") + " " + "a".compareTo("abc") + " " + "A".compareToIgnoreCase("a") + " " + "a".equalsIgnoreCase("A"));
        System.out.println("  trim \t\n".trim() + "|" + "\u2003strip\u2003".strip() + "|" + "  l ".stripLeading() + "|" + "  t ".stripTrailing() + "|");
        System.out.println(String.valueOf(new char[] {'a', 'b'}) + String.valueOf((Object) null) + String.copyValueOf(new char[] {'x', 'y', 'z'}, 1, 2));
        System.out.println("hello".chars().sum() + " " + "hello".hashCode() + " " + "".hashCode() + " " + "Aa".hashCode() + "BB".hashCode());
        System.out.println(s.regionMatches(true, 4, "QUICK", 0, 5) + " " + "aXbXc".lastIndexOf("X", 2) + " " + "abc".contentEquals(new StringBuilder("abc")));
        System.out.println("a,b,,c,,".split(",").length + " " + "a,b,,c,,".split(",", -1).length + " " + String.join("/", "a,b,c".split(",", 2)));
        System.out.println("x".concat("y") + "ab".repeat(0) + "|" + "one\ntwo\r\nthree".lines().toList());
        System.out.println(new String(new byte[] {72, 105}) + " " + "Hi".getBytes().length + " " + new String(new int[] {0x1f600, 65}, 0, 2).length());
    }
}
