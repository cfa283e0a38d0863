import java.util.regex.Matcher;
import java.util.regex.Pattern;

class Matching {
    static void all(String regex, String text) {
        Matcher m = Pattern.compile(regex).matcher(text);
        StringBuilder b = new StringBuilder(regex + ": " + m.matches() + " " + m.reset().lookingAt());
        m.reset();
        while (m.find()) {
            b.append(" [").append(m.start()).append(',').append(m.end());
            for (int g = 0; g <= m.groupCount(); g++) b.append(' ').append(m.group(g));
            b.append(']');
        }
        System.out.println(b);
    }

    public static void main(String[] args) {
        all("a*b", "aaab ab b c");
        all("(\\w+)@(\\w+)\\.com", "joe@site.com, ann@other.com");
        all("(a)|(b)", "ab");
        all("^\\d{3}-\\d{2,4}$", "123-4567");
        all("[^aeiou\\s]+", "hello world");
        all("(?i)HELLO", "Hello hello");
        all("\\bcat\\b", "cat concat cat");
        all("(.)\\1", "aabbcd");
        all("x*", "axb");
        all("(?:ab)+", "ababab");
        all("a.c", "abc a\nc");
        all("(?s)a.c", "a\nc");
        all("(?m)^b$", "a\nb\nc");
        all("[a-c&&[^b]]", "abcd");
        all("\\p{Upper}\\p{L}*", "Hi Bob");
        all("\\Q.*\\E", "a.*b");
        System.out.println("abc".matches("[a-z]{3}") + " " + Pattern.matches("a?", "aa"));
    }
}
