import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;

/** Files by their paths, and channels. */
class PathFiles {
    public static void main(String[] args) throws IOException {
        Path folder = Files.createTempDirectory("everypath");
        Path file = folder.resolve("lines");
        Files.write(file, List.of("one", "two"));
        System.out.println(Files.readAllLines(file) + " " + Files.size(file) + " " + Files.isDirectory(folder) + " " + Files.isRegularFile(file));
        Files.writeString(file, "three\n", StandardOpenOption.APPEND);
        try (var lines = Files.lines(file)) {
            System.out.println(lines.filter(line -> line.startsWith("t")).toList());
        }
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
            ByteBuffer bytes = ByteBuffer.allocate(4);
            System.out.println(channel.read(bytes, 4) + " " + channel.position() + " " + channel.size());
            bytes.flip();
            System.out.println(channel.write(bytes) + " " + channel.position());
            channel.truncate(7);
        }
        System.out.println(Files.readString(file));
        try {
            Files.createFile(file);
        } catch (FileAlreadyExistsException failure) {
            System.out.println("there already");
        }
        Path other = folder.resolve("other");
        Files.move(file, other);
        System.out.println(Files.exists(file) + " " + Files.exists(other) + " " + Files.deleteIfExists(file));
        try {
            Files.newInputStream(file);
        } catch (NoSuchFileException failure) {
            System.out.println(failure.getFile().endsWith("lines"));
        }
        Files.delete(other);
        Files.createDirectories(folder.resolve("a/b"));
        System.out.println(folder.resolve("a").toFile().list().length);
        Files.delete(folder.resolve("a/b"));
        Files.delete(folder.resolve("a"));
        Files.delete(folder);
        System.out.println(Files.notExists(folder));
    }
}
