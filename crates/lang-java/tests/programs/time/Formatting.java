import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeParseException;

class Formatting {
    public static void main(String[] args) {
        LocalDateTime t = LocalDateTime.of(2024, 3, 5, 14, 7, 9, 123_000_000);
        System.out.println(t.format(DateTimeFormatter.ISO_LOCAL_DATE_TIME) + " " + t.format(DateTimeFormatter.BASIC_ISO_DATE) + " " + t.format(DateTimeFormatter.ISO_WEEK_DATE) + " " + t.format(DateTimeFormatter.ISO_ORDINAL_DATE));
        System.out.println(t.format(DateTimeFormatter.ofPattern("yyyy/MM/dd HH:mm:ss.SSS")) + " " + t.format(DateTimeFormatter.ofPattern("d.M.yy h:mm")));
        System.out.println(LocalDate.parse("05-03-2024", DateTimeFormatter.ofPattern("dd-MM-yyyy")) + " " + LocalTime.parse("7:05", DateTimeFormatter.ofPattern("H:mm")));
        System.out.println(t.format(DateTimeFormatter.ofPattern("'year' uuuu '''quoted'''")));
        try {
            LocalDate.parse("2024-3-5");
        } catch (DateTimeParseException e) {
            System.out.println(e.getMessage());
        }
        try {
            DateTimeFormatter.ofPattern("yyyy-bb");
        } catch (IllegalArgumentException e) {
            System.out.println(e.getMessage());
        }
        System.out.println(DateTimeFormatter.ofPattern("yyyy-MM"));
    }
}
