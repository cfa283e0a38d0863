import java.io.BufferedReader;
import java.io.IOException;
import java.io.Reader;
import java.io.StringReader;

class MultiCatchIo {
    static class Failing extends Reader {
        int n;

        @Override
        public int read(char[] b, int off, int len) throws IOException {
            if (n++ > 0) throw new IOException("disk on fire");
            b[off] = 'x';
            return 1;
        }

        @Override
        public void close() throws IOException {
            throw new IOException("close failed");
        }
    }

    static String first(Reader r) {
        try (BufferedReader b = new BufferedReader(r)) {
            return b.readLine().toUpperCase();
        } catch (IOException | NullPointerException e) {
            StringBuilder s = new StringBuilder(e.getClass().getSimpleName() + " " + (e instanceof IOException ? e.getMessage() : ""));
            for (Throwable t : e.getSuppressed()) s.append(" + ").append(t.getMessage());
            return s.toString();
        }
    }

    public static void main(String[] args) {
        System.out.println(first(new StringReader("hello\nworld")));
        System.out.println(first(new StringReader("")));
        System.out.println(first(new Failing()));
    }
}
