import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.io.Serializable;
import java.util.ArrayList;
import java.util.List;

class Serialising {
    static class Node implements Serializable {
        private static final long serialVersionUID = 1;
        int v = 5;
        transient int skipped = 6;
        Node next;
        List<String> names = new ArrayList<>(List.of("a", "b"));
    }

    record Point(int x, int y) implements Serializable { }

    public static void main(String[] args) throws Exception {
        Node n = new Node();
        n.next = n;
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        try (ObjectOutputStream o = new ObjectOutputStream(out)) {
            o.writeObject(n);
            o.writeObject(new Point(1, 2));
            o.writeInt(7);
        }
        try (ObjectInputStream in = new ObjectInputStream(new ByteArrayInputStream(out.toByteArray()))) {
            Node c = (Node) in.readObject();
            System.out.println(c.v + " " + c.skipped + " " + (c.next == c) + " " + c.names + " " + in.readObject() + " " + in.readInt());
        }
        try {
            new ObjectOutputStream(out).writeObject(new Object());
        } catch (java.io.NotSerializableException e) {
            System.out.println(e);
        }
    }
}
