import java.io.BufferedReader;
import java.io.ByteArrayOutputStream;
import java.io.CharArrayReader;
import java.io.IOException;
import java.io.LineNumberReader;
import java.io.OutputStreamWriter;
import java.io.PrintStream;
import java.io.PrintWriter;
import java.io.PushbackReader;
import java.io.StringReader;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;

class CharStreams {
    public static void main(String[] args) throws IOException {
        BufferedReader r = new BufferedReader(new StringReader("one\ntwo\r\n\nfour"));
        String line;
        int n = 0;
        while ((line = r.readLine()) != null) System.out.println(++n + ": " + line);
        System.out.println(new BufferedReader(new StringReader("a\nb")).lines().toList());
        StringWriter w = new StringWriter();
        PrintWriter p = new PrintWriter(w);
        p.printf("%d %s", 1, "x");
        p.println(2.5);
        p.print('c');
        p.append("app").flush();
        System.out.println(w + " " + w.getBuffer().length());
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        PrintStream ps = new PrintStream(bytes, true, StandardCharsets.UTF_8);
        ps.println("stream \u00e9");
        ps.print(true);
        System.out.println(bytes.size() + " " + bytes.toString(StandardCharsets.UTF_8));
        OutputStreamWriter o = new OutputStreamWriter(bytes, StandardCharsets.UTF_16BE);
        o.write("z");
        o.close();
        System.out.println(bytes.size());
        PushbackReader back = new PushbackReader(new CharArrayReader("xy".toCharArray()));
        int c = back.read();
        back.unread('q');
        System.out.println((char) c + "" + (char) back.read() + (char) back.read() + back.read());
        LineNumberReader ln = new LineNumberReader(new StringReader("p\nq\n"));
        ln.readLine();
        System.out.println(ln.getLineNumber());
        new Exception("traced").printStackTrace(p);
        System.out.println(w.toString().contains("traced"));
        try {
            throw new UncheckedIOException(new IOException("wrapped"));
        } catch (UncheckedIOException e) {
            System.out.println(e.getMessage());
        }
    }
}
