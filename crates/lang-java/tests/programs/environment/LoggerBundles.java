import java.util.MissingResourceException;
import java.util.logging.Logger;

/** Loggers whose resources are not there. */
public class LoggerBundles {
    public static void main(String[] args) {
        for (String name : new String[] {"one", "two"}) {
            try {
                Logger.getLogger(name, "NoSuchBundle");
                System.out.println("no exception");
            } catch (MissingResourceException e) {
                System.out.println(e.getMessage() + " " + e.getClassName() + " " + e.getKey().isEmpty());
            }
        }
        System.out.println(Logger.getLogger("three").getResourceBundleName());
    }
}
