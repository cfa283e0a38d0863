import java.util.Arrays;
import java.util.Collections;

class Comparisons {
    public static void main(String[] args) {
        String[] words = {"banana", "Apple", "cherry", "apple", "\u00e9clair", "Zoo", "", "ab", "a", "\u4e2d"};
        Arrays.sort(words);
        System.out.println(Arrays.toString(words));
        Arrays.sort(words, String.CASE_INSENSITIVE_ORDER);
        System.out.println(Arrays.toString(words));
        Arrays.sort(words, Collections.reverseOrder());
        System.out.println(Arrays.toString(words));
        System.out.println("abc".compareTo("abd") + " " + "abc".compareTo("ab") + " " + "\u4e2d".compareTo("a") + " " + "a".compareTo("\u00e9"));
        System.out.println(Arrays.binarySearch(new String[] {"a", "c", "e"}, "c") + " " + Arrays.binarySearch(new String[] {"a", "c", "e"}, "d"));
        System.out.println("A".equals(null) + " " + "\u00c9".equalsIgnoreCase("\u00e9") + " " + "I\u0307".toLowerCase().length());
        CharSequence cs = "abc";
        System.out.println(CharSequence.compare(cs, new StringBuilder("abd")) + " " + cs.chars().count() + " " + cs.isEmpty());
    }
}
