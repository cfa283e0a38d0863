import java.util.Currency;
import java.util.Locale;
import java.util.UUID;

class Uuids {
    public static void main(String[] args) {
        UUID u = UUID.fromString("123e4567-e89b-12d3-a456-426614174000");
        System.out.println(u + " " + u.version() + " " + u.hashCode() + " " + new UUID(1, 2) + " " + u.compareTo(new UUID(1, 2)));
        System.out.println(Locale.US + " " + Locale.GERMANY.getLanguage() + " " + Locale.forLanguageTag("fr-CA") + " " + Locale.getDefault() + " " + Locale.ROOT.toString().isEmpty() + " " + new Locale("xx", "YY"));
        System.out.println("TITLE".toLowerCase(Locale.ROOT) + " " + "i".toUpperCase(new Locale("tr")).codePointAt(0));
    }
}
