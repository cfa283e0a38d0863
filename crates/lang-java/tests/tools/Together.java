import java.io.ByteArrayOutputStream;
import java.io.InputStream;
import java.io.PrintStream;
import java.lang.reflect.InvocationTargetException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Base64;
import java.util.Locale;
import java.util.Properties;
import java.util.TimeZone;

/**
 * Runs programs one after the other in one virtual machine. Arguments: the directory of the classes and a file with the names of the programs. A line of the
 * answer has a program and what it printed on either stream, in Base64, separated by tabs. Programs that do not end by themselves, or end with an exception,
 * are left out: those are for a virtual machine of their own.
 */
class Together {
    static final PrintStream ANSWER = System.out;
    static final long LONGEST_MILLIS = 10_000;

    static boolean run(URL[] classes, String program) throws Exception {
        boolean[] returned = new boolean[1];
        ThreadGroup group = new ThreadGroup("run");
        ClassLoader loader = new URLClassLoader("app", classes, ClassLoader.getPlatformClassLoader());
        loader.setDefaultAssertionStatus(true);
        Thread main = new Thread(group, () -> {
            try {
                var method = Class.forName(program, true, loader).getDeclaredMethod("main", String[].class);
                method.setAccessible(true);
                method.invoke(null, (Object) new String[0]);
                returned[0] = true;
            } catch (InvocationTargetException | ReflectiveOperationException | LinkageError e) {
                // Told by what is missing.
            }
        }, "main");
        main.setContextClassLoader(loader);
        main.start();
        long end = System.currentTimeMillis() + LONGEST_MILLIS;
        while (group.activeCount() > 0 && System.currentTimeMillis() < end) {
            Thread.sleep(1);
        }
        return returned[0] && group.activeCount() == 0;
    }

    public static void main(String[] args) throws Exception {
        URL[] classes = {Path.of(args[0]).toUri().toURL()};
        PrintStream error = System.err;
        InputStream input = System.in;
        Properties properties = (Properties) System.getProperties().clone();
        Locale locale = Locale.getDefault();
        TimeZone zone = TimeZone.getDefault();
        for (String program : Files.readAllLines(Path.of(args[1]))) {
            ByteArrayOutputStream out = new ByteArrayOutputStream();
            ByteArrayOutputStream err = new ByteArrayOutputStream();
            System.setOut(new PrintStream(out, true, StandardCharsets.UTF_8));
            System.setErr(new PrintStream(err, true, StandardCharsets.UTF_8));
            boolean ended = run(classes, program);
            System.out.flush();
            System.err.flush();
            if (ended) {
                Base64.Encoder text = Base64.getEncoder();
                ANSWER.println(program + "\t" + text.encodeToString(out.toByteArray()) + "\t" + text.encodeToString(err.toByteArray()));
                ANSWER.flush();
            }
            System.setErr(error);
            System.setIn(input);
            System.setProperties((Properties) properties.clone());
            Locale.setDefault(locale);
            TimeZone.setDefault(zone);
        }
        Runtime.getRuntime().halt(0);
    }
}
