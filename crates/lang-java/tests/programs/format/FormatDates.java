import java.time.LocalDate;
import java.time.LocalDateTime;
import java.util.Date;

class FormatDates {
    public static void main(String[] args) {
        LocalDateTime t = LocalDateTime.of(2024, 2, 9, 7, 5, 3);
        System.out.println(String.format("%tY-%<tm-%<td %<tH:%<tM:%<tS", t));
        System.out.println(String.format("%tF %<tT %<tj %<te %<tk %<tI %<tp", t));
        System.out.println(String.format("%tB %<tb %<tA %<ta %<ty", LocalDate.of(2023, 12, 31)));
        System.out.println(String.format("%tQ", new Date(1234567890L)));
        System.out.println(String.format("%ts", 1700000000000L));
    }
}
