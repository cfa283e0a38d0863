import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

class JsonPrinter {
    static String json(Object o) {
        if (o == null) return "null";
        if (o instanceof String s) return '"' + s.replace("\\", "\\\\").replace("\"", "\\\"").replace("\n", "\\n") + '"';
        if (o instanceof Number || o instanceof Boolean) return o.toString();
        if (o instanceof List<?> l) {
            StringBuilder b = new StringBuilder("[");
            for (Object x : l) b.append(b.length() > 1 ? "," : "").append(json(x));
            return b.append("]").toString();
        }
        if (o instanceof Map<?, ?> m) {
            StringBuilder b = new StringBuilder("{");
            m.forEach((k, v) -> b.append(b.length() > 1 ? "," : "").append(json(k.toString())).append(":").append(json(v)));
            return b.append("}").toString();
        }
        throw new IllegalArgumentException("cannot print " + o.getClass().getName());
    }

    public static void main(String[] args) {
        Map<String, Object> m = new LinkedHashMap<>();
        m.put("name", "a \"quoted\"\nline");
        m.put("list", List.of(1, 2.5, true, List.of()));
        m.put("none", null);
        m.put("inner", Map.of("k", -1L));
        System.out.println(json(m));
        try {
            json(List.of(new int[0]));
        } catch (IllegalArgumentException e) {
            System.out.println(e.getMessage());
        }
    }
}
