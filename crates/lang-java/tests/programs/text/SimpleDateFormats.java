import java.text.SimpleDateFormat;
import java.util.Date;
import java.util.Locale;
import java.util.TimeZone;

class SimpleDateFormats {
    public static void main(String[] args) throws Exception {
        SimpleDateFormat f = new SimpleDateFormat("yyyy-MM-dd HH:mm:ss", Locale.US);
        f.setTimeZone(TimeZone.getTimeZone("UTC"));
        System.out.println(f.format(new Date(1700000000000L)) + " " + f.parse("1970-01-02 00:00:00").getTime());
        SimpleDateFormat n = new SimpleDateFormat("EEE, d MMM yyyy", Locale.US);
        n.setTimeZone(TimeZone.getTimeZone("UTC"));
        System.out.println(n.format(new Date(0)));
        try {
            f.parse("nonsense");
        } catch (java.text.ParseException e) {
            System.out.println(e.getMessage());
        }
    }
}
