import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.regex.PatternSyntaxException;

class RegexErrors {
    public static void main(String[] args) {
        for (String s : new String[] {"(", "[a", "*a", "a{2,1}", "\\", "(?<n>a)(?<n>b)", "[z-a]", "\\k<none>", "(?x", "a)"}) {
            try {
                System.out.println(s + " " + Pattern.compile(s));
            } catch (PatternSyntaxException e) {
                System.out.println(e.getMessage());
            }
        }
        Matcher m = Pattern.compile("(a)").matcher("b");
        try {
            m.group();
        } catch (IllegalStateException e) {
            System.out.println(e.getMessage());
        }
        m = Pattern.compile("(b)").matcher("b");
        m.find();
        try {
            m.group(2);
        } catch (IndexOutOfBoundsException e) {
            System.out.println(e.getMessage());
        }
        try {
            "x".replaceAll("x", "$3");
        } catch (IndexOutOfBoundsException e) {
            System.out.println(e.getMessage());
        }
        try {
            m.group("nope");
        } catch (IllegalArgumentException e) {
            System.out.println(e.getMessage());
        }
    }
}
