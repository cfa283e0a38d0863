import java.util.Calendar;
import java.util.Date;
import java.util.GregorianCalendar;
import java.util.TimeZone;

class OldDates {
    public static void main(String[] args) {
        Date d = new Date(86400000L * 365);
        System.out.println(d.getTime() + " " + d.before(new Date(0)) + " " + d.compareTo(new Date(0)) + " " + d.toInstant());
        GregorianCalendar c = new GregorianCalendar(TimeZone.getTimeZone("UTC"));
        c.setTimeInMillis(0);
        c.set(2024, Calendar.FEBRUARY, 28, 10, 0, 0);
        c.add(Calendar.DAY_OF_MONTH, 2);
        System.out.println(c.get(Calendar.YEAR) + " " + c.get(Calendar.MONTH) + " " + c.get(Calendar.DAY_OF_MONTH) + " " + c.get(Calendar.DAY_OF_WEEK) + " " + c.isLeapYear(2024) + " " + c.getTimeInMillis());
        System.out.println(c.getActualMaximum(Calendar.DAY_OF_MONTH));
    }
}
