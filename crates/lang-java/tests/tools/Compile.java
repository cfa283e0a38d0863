import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import javax.tools.JavaCompiler;
import javax.tools.ToolProvider;

/**
 * Compiles many programs in one virtual machine. The argument names a file with a job in each line: an output
 * directory, the sources and the compiler's options, separated by tabs.
 */
class Compile {
    public static void main(String[] args) throws Exception {
        JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
        boolean failed = false;
        for (String job : Files.readAllLines(Path.of(args[0]))) {
            String[] words = job.split("\t");
            Files.createDirectories(Path.of(words[0]));
            List<String> options = new ArrayList<>(List.of("-encoding", "UTF-8", "-Xlint:none", "-d", words[0]));
            options.addAll(Arrays.asList(words).subList(1, words.length));
            failed |= compiler.run(null, null, null, options.toArray(new String[0])) != 0;
        }
        System.exit(failed ? 1 : 0);
    }
}
