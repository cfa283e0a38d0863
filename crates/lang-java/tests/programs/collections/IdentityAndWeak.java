import java.util.IdentityHashMap;
import java.util.Map;
import java.util.WeakHashMap;
import java.lang.ref.SoftReference;
import java.lang.ref.WeakReference;

class IdentityAndWeak {
    public static void main(String[] args) {
        String a = new String("k");
        String b = new String("k");
        Map<String, Integer> m = new IdentityHashMap<>();
        m.put(a, 1);
        m.put(b, 2);
        m.put(a, 3);
        System.out.println(m.size() + " " + m.get(a) + m.get(b) + m.get("k") + m.containsKey(b));
        Map<String, Integer> w = new WeakHashMap<>();
        w.put(a, 1);
        w.put(b, 2);
        System.out.println(w.size() + " " + w.get("k") + w);
        WeakReference<String> r = new WeakReference<>(a);
        System.out.println(r.get() == a);
        r.clear();
        System.out.println(r.get() + " " + new SoftReference<>(b).get() + " " + r.refersTo(null));
        System.out.println(a + b);
    }
}
