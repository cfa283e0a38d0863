import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Iterator;
import java.util.LinkedList;

class LinkedLists {
    static void exercise(Deque<String> d) {
        d.addFirst("b");
        d.addLast("c");
        d.push("a");
        d.offer("d");
        System.out.println(d + " " + d.peekFirst() + d.peekLast() + d.size());
        System.out.println(d.pop() + d.pollLast() + d.removeFirst() + d);
        d.clear();
        System.out.println(d.poll() + " " + d.peek());
        for (int i = 0; i < 40; i++) {
            d.addLast("" + i);
            if (i % 3 == 0) d.removeFirst();
        }
        Iterator<String> it = d.descendingIterator();
        System.out.println(it.next() + it.next() + " " + d.size() + d.contains("20"));
        d.removeFirstOccurrence("20");
        d.removeIf(s -> s.length() == 2 && s.charAt(1) != '5');
        System.out.println(d);
    }

    public static void main(String[] args) {
        exercise(new LinkedList<>());
        exercise(new ArrayDeque<>());
        LinkedList<Integer> l = new LinkedList<>();
        for (int i = 0; i < 6; i++) l.add(i);
        l.add(2, 99);
        l.remove(Integer.valueOf(4));
        l.remove(0);
        l.set(1, null);
        System.out.println(l + " " + l.indexOf(null) + " " + l.get(3));
    }
}
