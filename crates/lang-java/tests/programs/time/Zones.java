import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;

class Zones {
    public static void main(String[] args) {
        ZoneId paris = ZoneId.of("Europe/Paris");
        ZonedDateTime winter = ZonedDateTime.of(LocalDateTime.of(2024, 1, 15, 12, 0), paris);
        System.out.println(winter + " " + winter.plusMonths(6) + " " + winter.withZoneSameInstant(ZoneId.of("America/New_York")));
        System.out.println(paris.getRules().isDaylightSavings(Instant.parse("2024-07-01T00:00:00Z")) + " " + ZoneId.of("Z") + " " + ZoneId.of("UTC+3") + " " + paris.getRules().getOffset(LocalDateTime.of(2024, 3, 31, 2, 30)));
        System.out.println(ZonedDateTime.of(LocalDateTime.of(2024, 3, 31, 2, 30), paris) + " " + Instant.EPOCH.atZone(ZoneOffset.UTC));
        try {
            ZoneId.of("Nowhere/Town");
        } catch (RuntimeException e) {
            System.out.println(e.getMessage());
        }
    }
}
