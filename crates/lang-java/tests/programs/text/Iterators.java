import java.text.BreakIterator;
import java.text.CharacterIterator;
import java.text.Collator;
import java.text.Normalizer;
import java.text.StringCharacterIterator;
import java.util.Locale;

class Iterators {
    public static void main(String[] args) {
        StringCharacterIterator it = new StringCharacterIterator("xyz");
        StringBuilder b = new StringBuilder();
        for (char c = it.first(); c != CharacterIterator.DONE; c = it.next()) b.append(c).append(it.getIndex());
        System.out.println(b + " " + it.last() + it.previous());
        System.out.println(Normalizer.normalize("e\u0301", Normalizer.Form.NFC).length() + " " + Normalizer.isNormalized("\u00e9", Normalizer.Form.NFD));
        System.out.println(Collator.getInstance(Locale.US).compare("apple", "Banana") < 0);
        BreakIterator w = BreakIterator.getWordInstance(Locale.US);
        w.setText("Hi there.");
        StringBuilder ends = new StringBuilder();
        for (int e = w.first(); e != BreakIterator.DONE; e = w.next()) ends.append(e).append(' ');
        System.out.println(ends);
    }
}
