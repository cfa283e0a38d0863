import java.util.ArrayList;
import java.util.Collections;
import java.util.Enumeration;
import java.util.List;
import java.util.Vector;

class CollectionsHelpers {
    public static void main(String[] args) {
        List<Integer> l = new ArrayList<>(List.of(4, 2, 8, 6));
        Collections.sort(l);
        System.out.println(l + " " + Collections.binarySearch(l, 6) + " " + Collections.binarySearch(l, 5));
        Collections.addAll(l, 1, 1, 3);
        Collections.fill(l.subList(0, 2), 0);
        System.out.println(l + " " + Collections.indexOfSubList(l, List.of(1, 1)) + Collections.disjoint(l, List.of(9)));
        Collections.sort(l, Collections.reverseOrder());
        Collections.replaceAll(l, 1, 11);
        System.out.println(l);
        List<Integer> copy = new ArrayList<>(Collections.nCopies(10, -1));
        Collections.copy(copy, l);
        System.out.println(copy);
        try {
            Collections.copy(new ArrayList<>(), l);
        } catch (IndexOutOfBoundsException e) {
            System.out.println(e.getMessage());
        }
        Vector<String> v = new Vector<>(List.of("p", "q"));
        Enumeration<String> e = v.elements();
        System.out.println(e.nextElement() + v.firstElement() + v.lastElement() + Collections.list(e));
        java.util.Stack<Integer> s = new java.util.Stack<>();
        s.push(1);
        s.push(2);
        System.out.println(s.peek() + s.pop() + " " + s.search(1) + s + s.empty());
        java.util.Hashtable<String, Integer> h = new java.util.Hashtable<>();
        h.put("one", 1);
        h.put("two", 2);
        System.out.println(h);
        System.out.println(Collections.newSetFromMap(new java.util.TreeMap<>()).add(5));
    }
}
