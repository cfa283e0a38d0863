import java.util.regex.Matcher;
import java.util.regex.Pattern;

class Quantifiers {
    static String first(String regex, String text) {
        Matcher m = Pattern.compile(regex).matcher(text);
        return m.find() ? m.group() : "none";
    }

    public static void main(String[] args) {
        System.out.println(first("a.*b", "xaabab") + " " + first("a.*?b", "xaabab") + " " + first("a.*+b", "xaabab"));
        System.out.println(first("<.+?>", "<a><b>") + " " + first("<.+>", "<a><b>"));
        System.out.println(first("a{2}", "aaa") + " " + first("a{2,}", "aaaa") + " " + first("a{1,2}?", "aaa"));
        System.out.println(first("(?=b)b", "ab") + " " + first("(?<=a)b", "ab") + " " + first("(?<!a)b", "abb") + " " + first("a(?!b)", "abac"));
        System.out.println(first("(?>a*)ab", "aaab") + " " + first("(x|xy)z", "xyz"));
        System.out.println(first("\\d+(\\.\\d+)?", "v1.25") + " " + first("[+-]?\\d+", "a-12"));
        System.out.println(first("(?<year>\\d{4})", "in 1999"));
        System.out.println(first("(a|b)*c", "ababc") + " " + first("((a)(b))+", "abab"));
        System.out.println(first("\\u0061\\x62\\0143\\t", "abc\t").length());
        StringBuilder longText = new StringBuilder();
        for (int i = 0; i < 200; i++) longText.append("ab");
        System.out.println(first("(?:ab)*", longText.toString()).length());
    }
}
