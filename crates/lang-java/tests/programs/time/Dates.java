import java.time.DayOfWeek;
import java.time.LocalDate;
import java.time.Month;
import java.time.Period;
import java.time.Year;
import java.time.YearMonth;
import java.time.temporal.ChronoUnit;
import java.time.temporal.TemporalAdjusters;

class Dates {
    public static void main(String[] args) {
        LocalDate d = LocalDate.of(2024, 2, 29);
        System.out.println(d + " " + d.plusDays(1) + " " + d.plusYears(1) + " " + d.minusMonths(3) + " " + d.withDayOfMonth(1) + " " + d.getDayOfWeek() + " " + d.getDayOfYear() + " " + d.isLeapYear());
        System.out.println(ChronoUnit.DAYS.between(LocalDate.of(2000, 1, 1), d) + " " + Period.between(LocalDate.of(2020, 5, 17), d) + " " + d.isBefore(LocalDate.MAX) + " " + d.compareTo(LocalDate.EPOCH));
        System.out.println(d.with(TemporalAdjusters.firstDayOfNextMonth()) + " " + d.with(TemporalAdjusters.next(DayOfWeek.MONDAY)) + " " + d.lengthOfMonth() + " " + d.toEpochDay());
        System.out.println(LocalDate.parse("1999-12-31").plusWeeks(1) + " " + Year.of(1900).isLeap() + " " + YearMonth.of(2023, 2).atEndOfMonth() + " " + Month.MARCH.plus(11) + " " + DayOfWeek.SUNDAY.plus(1));
        System.out.println(Period.of(1, 14, 3).normalized() + " " + Period.parse("P2Y3M").toTotalMonths() + " " + Period.ZERO);
        System.out.println(LocalDate.of(2024, 1, 31).datesUntil(LocalDate.of(2024, 2, 3)).toList());
        for (String bad : new String[] {"2023-02-29", "x"}) {
            try {
                LocalDate.parse(bad);
            } catch (RuntimeException e) {
                System.out.println(e.getMessage());
            }
        }
        try {
            LocalDate.of(2023, 13, 1);
        } catch (RuntimeException e) {
            System.out.println(e.getMessage());
        }
    }
}
