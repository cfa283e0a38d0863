import java.util.*;

/** What the library keeps once it was made: while its classes are initialised, and by the program. */
public class LateClasses {
    public static void main(String[] args) throws Exception {
        switch (args[0]) {
            case "calendar" -> {
                Calendar calendar = new GregorianCalendar(2020, Calendar.JANUARY, 31);
                calendar.add(Calendar.MONTH, 1);
                if (calendar.get(Calendar.DAY_OF_MONTH) != 29) throw new AssertionError();
            }
            case "format" -> System.out.println(String.format(Locale.US, "%tY", 0L));
            default -> {
                var file = java.nio.file.Path.of("written.txt");
                java.nio.file.Files.writeString(file, "one");
                System.out.println(new java.text.SimpleDateFormat("yyyy", Locale.US).format(new Date(0)));
            }
        }
    }
}
