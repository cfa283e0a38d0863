import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.IntBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.DirectoryStream;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.NotDirectoryException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.Arrays;
import java.util.stream.Stream;

/** Copies, lists and walks of directories; buffers outside of the heap. */
class Directories {
    public static void main(String[] args) throws Exception {
        Path top = Files.createTempDirectory("directories");
        Path file = Files.writeString(top.resolve("a.txt"), "one\ntwo\n");
        Path below = Files.createDirectory(top.resolve("below"));
        Files.createDirectories(below.resolve("x/y"));
        Path copied = Files.copy(file, below.resolve("b.txt"));
        Files.move(copied, below.resolve("c.txt"));
        try {
            Files.copy(file, below.resolve("c.txt"));
        } catch (FileAlreadyExistsException expected) {
            System.out.println("exists");
        }
        Files.writeString(file, "three\n", StandardOpenOption.APPEND);
        Files.copy(file, below.resolve("c.txt"), StandardCopyOption.REPLACE_EXISTING);
        System.out.println(Files.readAllLines(below.resolve("c.txt")));
        try {
            Files.copy(top.resolve("missing"), below.resolve("d.txt"));
        } catch (NoSuchFileException expected) {
            System.out.println("missing");
        }
        Files.copy(below, top.resolve("empty"));
        try (Stream<Path> found = Files.list(top)) {
            System.out.println(found.map(path -> path.getFileName().toString()).sorted().toList());
        }
        try (Stream<Path> found = Files.walk(top)) {
            System.out.println(found.map(path -> top.relativize(path).toString()).sorted().toList());
        }
        try (Stream<Path> found = Files.find(top, 9, (path, facts) -> facts.isRegularFile())) {
            System.out.println(found.count());
        }
        try (DirectoryStream<Path> found = Files.newDirectoryStream(top, "*.txt")) {
            for (Path path : found) {
                System.out.println(path.getFileName());
            }
        }
        try {
            Files.list(file);
        } catch (NotDirectoryException expected) {
            System.out.println("no directory");
        }
        try {
            Files.delete(below);
        } catch (DirectoryNotEmptyException expected) {
            System.out.println("not empty");
        }
        ByteBuffer direct = ByteBuffer.allocateDirect(32).order(ByteOrder.LITTLE_ENDIAN);
        direct.putInt(5).putDouble(2.5).putChar('x').flip();
        System.out.println(direct + " " + direct.isDirect() + " " + direct.getInt() + " " + direct.getDouble());
        direct.clear().put(new byte[] {1, 2, 3, 4}).flip();
        byte[] taken = new byte[4];
        direct.get(taken);
        System.out.println(Arrays.toString(taken));
        IntBuffer numbers = ByteBuffer.allocateDirect(8).asIntBuffer();
        numbers.put(0, 77).put(1, numbers.get(0) + 1);
        System.out.println(numbers.get(1) + " " + numbers.hasArray());
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ)) {
            direct.clear();
            System.out.println(channel.read(direct) + " " + (char) direct.get(4));
        }
        Files.walkFileTree(top, new SimpleFileVisitor<>() {
            @Override
            public FileVisitResult visitFile(Path path, BasicFileAttributes facts) throws IOException {
                Files.delete(path);
                return FileVisitResult.CONTINUE;
            }

            @Override
            public FileVisitResult postVisitDirectory(Path path, IOException error) throws IOException {
                Files.delete(path);
                return FileVisitResult.CONTINUE;
            }
        });
        System.out.println(Files.exists(top));
        System.out.println(Directories.class.getPackage() == Class.forName("Directories").getPackage());
        System.out.println(Package.getPackage("java.util") + " " + Package.getPackage("not.there"));
    }
}
