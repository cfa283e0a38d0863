import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import java.util.logging.Logger;

/** Log records know who made them. */
class LoggedCallers {
    static class Printer extends Handler {
        @Override
        public void publish(LogRecord record) {
            System.out.println(record.getLevel() + " " + record.getSourceClassName() + "." + record.getSourceMethodName() + ": " + record.getMessage());
        }

        @Override
        public void flush() {
        }

        @Override
        public void close() {
        }
    }

    public static void main(String[] args) {
        Logger logger = Logger.getLogger("LoggedCallers");
        logger.setUseParentHandlers(false);
        logger.addHandler(new Printer());
        logger.setLevel(Level.FINE);
        logger.info("one");
        logger.log(Level.FINE, () -> "two");
        logger.finest("never");
        new Object() {
            void inside() {
                logger.warning("three");
            }
        }.inside();
    }
}
