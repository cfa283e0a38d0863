import java.util.List;
import java.util.StringJoiner;
import java.util.StringTokenizer;

class Joining {
    public static void main(String[] args) {
        StringJoiner j = new StringJoiner(", ", "{", "}");
        j.setEmptyValue("EMPTY");
        System.out.println(j + " " + j.length());
        j.add("a").add("b");
        System.out.println(j + " " + j.length());
        j.merge(new StringJoiner("-").add("c").add("d"));
        System.out.println(j);
        System.out.println(String.join("|", List.of("x", "y", "z")));
        StringTokenizer t = new StringTokenizer("a b;c  d", " ;", true);
        StringBuilder out = new StringBuilder();
        while (t.hasMoreTokens()) out.append('<').append(t.nextToken()).append('>');
        System.out.println(out);
        StringTokenizer u = new StringTokenizer("  one two ");
        System.out.println(u.countTokens() + u.nextToken() + u.nextElement() + u.hasMoreElements());
    }
}
