import java.time.DayOfWeek;
import java.time.LocalDate;
import java.time.Month;
import java.time.format.DateTimeFormatter;
import java.time.format.TextStyle;
import java.util.Locale;

class NamedFormats {
    public static void main(String[] args) {
        LocalDate d = LocalDate.of(2024, 3, 5);
        System.out.println(d.format(DateTimeFormatter.ofPattern("EEEE, d MMMM yyyy", Locale.US)) + "; " + d.format(DateTimeFormatter.ofPattern("EEE MMM", Locale.US)));
        System.out.println(Month.MAY.getDisplayName(TextStyle.FULL, Locale.US) + " " + DayOfWeek.FRIDAY.getDisplayName(TextStyle.SHORT, Locale.US));
        System.out.println(LocalDate.parse("7 June 2021", DateTimeFormatter.ofPattern("d MMMM yyyy", Locale.US)));
    }
}
