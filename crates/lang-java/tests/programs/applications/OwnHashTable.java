import java.util.Objects;

class OwnHashTable<K, V> {
    private static class Entry<K, V> {
        final K key;
        V value;
        Entry<K, V> next;

        Entry(K key, V value, Entry<K, V> next) {
            this.key = key;
            this.value = value;
            this.next = next;
        }
    }

    @SuppressWarnings("unchecked")
    private Entry<K, V>[] table = (Entry<K, V>[]) new Entry<?, ?>[4];
    private int size;

    private int slot(Object k, int n) {
        return (k == null ? 0 : k.hashCode() & 0x7fffffff) % n;
    }

    V put(K k, V v) {
        for (Entry<K, V> e = table[slot(k, table.length)]; e != null; e = e.next) {
            if (Objects.equals(e.key, k)) {
                V old = e.value;
                e.value = v;
                return old;
            }
        }
        if (++size > table.length) grow();
        int s = slot(k, table.length);
        table[s] = new Entry<>(k, v, table[s]);
        return null;
    }

    @SuppressWarnings("unchecked")
    private void grow() {
        Entry<K, V>[] old = table;
        table = (Entry<K, V>[]) new Entry<?, ?>[old.length * 2 + 1];
        for (Entry<K, V> e : old) {
            while (e != null) {
                Entry<K, V> next = e.next;
                int s = slot(e.key, table.length);
                e.next = table[s];
                table[s] = e;
                e = next;
            }
        }
    }

    V get(Object k) {
        for (Entry<K, V> e = table[slot(k, table.length)]; e != null; e = e.next) {
            if (Objects.equals(e.key, k)) return e.value;
        }
        return null;
    }

    public static void main(String[] args) {
        OwnHashTable<Object, Integer> t = new OwnHashTable<>();
        for (int i = 0; i < 50; i++) t.put("key" + i, i);
        t.put(null, -1);
        t.put(3.5, 7);
        System.out.println(t.put("key7", 700) + " " + t.get("key7") + " " + t.get(null) + " " + t.get(3.5) + " " + t.get("none") + " " + t.size + " " + t.table.length);
    }
}
