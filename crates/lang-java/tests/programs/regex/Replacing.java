import java.util.Arrays;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

class Replacing {
    public static void main(String[] args) {
        System.out.println("a1b22c".replaceAll("\\d+", "#") + " " + "a1b22c".replaceFirst("\\d+", "#"));
        System.out.println("john smith".replaceAll("(\\w+) (\\w+)", "$2, $1"));
        System.out.println("2024-01-02".replaceAll("(?<y>\\d+)-(?<m>\\d+)-(?<d>\\d+)", "${d}.${m}.${y}"));
        System.out.println("cost 5".replaceAll("\\d", Matcher.quoteReplacement("$1\\")));
        Matcher m = Pattern.compile("[aeiou]").matcher("education");
        System.out.println(m.replaceAll(r -> r.group().toUpperCase()));
        System.out.println(Arrays.toString("a, b;c  d".split("[,; ]+")) + Arrays.toString("boo:and:foo".split("o")) + Arrays.toString("boo:and:foo".split("o", -1)));
        System.out.println(Arrays.toString("".split(",")) + Arrays.toString(",a".split(",")) + Arrays.toString("abc".split("")));
        StringBuilder b = new StringBuilder();
        m = Pattern.compile("(\\d)").matcher("1 and 2");
        while (m.find()) m.appendReplacement(b, "" + (Integer.parseInt(m.group(1)) + 1));
        m.appendTail(b);
        System.out.println(b);
        System.out.println(Pattern.compile("\\s").splitAsStream("x y z").toList() + " " + Pattern.compile("o").asPredicate().test("foo"));
        System.out.println(Pattern.compile("\\w").matcher("ab c").results().map(MatchResult::group).toList());
        System.out.println(Pattern.compile("a", Pattern.CASE_INSENSITIVE | Pattern.MULTILINE).flags() + " " + Pattern.quote("a.b") + " " + Pattern.compile("x+"));
    }
}
