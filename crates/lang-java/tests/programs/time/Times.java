import java.time.Duration;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.time.temporal.ChronoField;
import java.time.temporal.ChronoUnit;

class Times {
    public static void main(String[] args) {
        LocalTime t = LocalTime.of(23, 59, 30);
        System.out.println(t + " " + t.plusSeconds(45) + " " + t.minusHours(25) + " " + t.toSecondOfDay() + " " + t.truncatedTo(ChronoUnit.HOURS) + " " + LocalTime.NOON + " " + LocalTime.of(1, 2, 3, 4000000));
        LocalDateTime dt = LocalDateTime.of(2023, 12, 31, 23, 59);
        System.out.println(dt + " " + dt.plusMinutes(1) + " " + dt.toLocalDate() + " " + dt.get(ChronoField.HOUR_OF_AMPM) + " " + dt.toEpochSecond(ZoneOffset.UTC) + " " + LocalDateTime.parse("2020-01-01T10:15:30.5"));
        Duration d = Duration.ofHours(25).plusMinutes(61).plusMillis(1500);
        System.out.println(d + " " + d.toMinutes() + " " + d.toHoursPart() + " " + d.getSeconds() + " " + d.negated() + " " + Duration.parse("PT1H2M3.5S").toMillis() + " " + Duration.ZERO + " " + Duration.between(t, LocalTime.MIDNIGHT) + " " + d.dividedBy(7));
        Instant i = Instant.ofEpochSecond(1700000000L);
        System.out.println(i + " " + i.plus(1, ChronoUnit.DAYS) + " " + i.toEpochMilli() + " " + Instant.parse("2020-02-02T02:02:02Z").getEpochSecond() + " " + Instant.EPOCH + " " + i.isAfter(Instant.EPOCH));
        OffsetDateTime o = OffsetDateTime.of(dt, ZoneOffset.ofHours(2));
        System.out.println(o + " " + o.toInstant() + " " + o.withOffsetSameInstant(ZoneOffset.ofHoursMinutes(-5, -30)) + " " + ZoneOffset.UTC);
        System.out.println(ChronoUnit.HOURS.between(dt, dt.plusDays(3)) + " " + dt.until(dt.plusYears(2), ChronoUnit.MONTHS));
    }
}
