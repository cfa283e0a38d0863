// What threads write to one file: each write is a step.
// ends: ab
// ends: ba
import java.io.File;
import java.io.FileOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;

class SharedFile {
    static void add(File file, char what) {
        try (FileOutputStream stream = new FileOutputStream(file, true)) {
            stream.write(what);
        } catch (IOException failure) {
            throw new AssertionError(failure);
        }
    }

    public static void main(String[] args) throws Exception {
        File file = new File("a file that is never written to the disk");
        Thread other = new Thread(() -> add(file, 'a'));
        other.start();
        add(file, 'b');
        other.join();
        try (java.io.FileInputStream stream = new java.io.FileInputStream(file)) {
            System.out.println(new String(stream.readAllBytes(), StandardCharsets.UTF_8));
        }
    }
}
