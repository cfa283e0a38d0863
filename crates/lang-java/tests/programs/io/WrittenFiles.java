import java.io.BufferedReader;
import java.io.File;
import java.io.FileInputStream;
import java.io.FileNotFoundException;
import java.io.FileOutputStream;
import java.io.FileReader;
import java.io.FileWriter;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.util.Arrays;

/** Files that a program writes, reads again, renames and removes. */
class WrittenFiles {
    public static void main(String[] args) throws IOException {
        File folder = File.createTempFile("everypath", ".d");
        System.out.println(folder.isFile() + " " + folder.length() + " " + folder.delete() + " " + folder.delete() + " " + folder.exists());
        System.out.println(folder.mkdir() + " " + folder.mkdir() + " " + folder.isDirectory());
        File text = new File(folder, "text");
        try (FileWriter writer = new FileWriter(text)) {
            writer.write("first\nsecond\n");
        }
        try (FileOutputStream more = new FileOutputStream(text, true)) {
            more.write("third".getBytes());
            more.write('!');
        }
        try (BufferedReader reader = new BufferedReader(new FileReader(text))) {
            for (String line = reader.readLine(); line != null; line = reader.readLine()) {
                System.out.println(line);
            }
        }
        try (RandomAccessFile file = new RandomAccessFile(text, "rw")) {
            file.seek(6);
            file.writeBytes("SEC");
            file.seek(0);
            System.out.println(file.readLine() + " " + file.readLine() + " " + file.getFilePointer() + " of " + file.length());
            file.setLength(5);
        }
        FileInputStream stream = new FileInputStream(text);
        System.out.println(stream.available() + " " + stream.skip(2) + " " + (char) stream.read() + new String(stream.readAllBytes()) + stream.read());
        stream.close();
        try {
            stream.read();
        } catch (IOException closed) {
            System.out.println(closed.getMessage());
        }
        System.out.println(Arrays.toString(folder.list()) + " " + folder.delete());
        File other = new File(folder, "other");
        System.out.println(text.renameTo(other) + " " + text.exists() + " " + other.length() + " " + text.renameTo(other));
        for (String missing : new String[] {"/no/such/file", folder.getPath()}) {
            try {
                new FileInputStream(missing);
            } catch (FileNotFoundException failure) {
                System.out.println(failure.getMessage().replace(folder.getPath(), "folder"));
            }
        }
        try {
            new FileOutputStream(new File(folder, "no/file"));
        } catch (FileNotFoundException failure) {
            System.out.println(failure.getMessage().replace(folder.getPath(), "folder"));
        }
        System.out.println(other.delete() + " " + folder.delete() + " " + folder.exists());
        System.out.println(new File("a/../b/./c").getCanonicalFile().getName() + " " + new File("x").getAbsolutePath().endsWith("/x"));
    }
}
