import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

class JsonParser {
    private final String in;
    private int at;

    JsonParser(String in) {
        this.in = in;
    }

    private RuntimeException error(String what) {
        return new IllegalStateException(what + " at " + at);
    }

    private char peek() {
        while (at < in.length() && Character.isWhitespace(in.charAt(at))) at++;
        if (at >= in.length()) throw error("end of input");
        return in.charAt(at);
    }

    private void expect(char c) {
        if (peek() != c) throw error("expected " + c + " but found " + peek());
        at++;
    }

    Object value() {
        switch (peek()) {
            case '{': {
                Map<String, Object> m = new LinkedHashMap<>();
                expect('{');
                while (peek() != '}') {
                    String k = string();
                    expect(':');
                    m.put(k, value());
                    if (peek() == ',') at++;
                }
                expect('}');
                return m;
            }
            case '[': {
                List<Object> l = new ArrayList<>();
                expect('[');
                while (peek() != ']') {
                    l.add(value());
                    if (peek() == ',') at++;
                }
                expect(']');
                return l;
            }
            case '"':
                return string();
            case 't':
                at += 4;
                return true;
            case 'n':
                at += 4;
                return null;
            default:
                int start = at;
                while (at < in.length() && "+-.eE0123456789".indexOf(in.charAt(at)) >= 0) at++;
                if (start == at) throw error("unexpected " + peek());
                return Double.valueOf(in.substring(start, at));
        }
    }

    private String string() {
        expect('"');
        int end = in.indexOf('"', at);
        String s = in.substring(at, end);
        at = end + 1;
        return s;
    }

    public static void main(String[] args) {
        System.out.println(new JsonParser("{\"a\": [1, 2.5e2, {\"b\": null}], \"c\": true, \"d\": \"text\"}").value());
        for (String bad : new String[] {"{\"a\" 1}", "[1, ?]", "[1"}) {
            try {
                System.out.println(new JsonParser(bad).value());
            } catch (IllegalStateException e) {
                System.out.println(e.getMessage());
            }
        }
    }
}
