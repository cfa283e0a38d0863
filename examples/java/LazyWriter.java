/*
 * A writer waits for a flag that the other thread sets before it looks again. If it only ever looks, it is never
 * done; if every thread that can move gets its turn, it is:
 *
 *     everypath check examples/java/LazyWriter.java --ltl 'F LazyWriter.done'
 *     everypath check examples/java/LazyWriter.java --ltl 'F LazyWriter.done' --fair weak
 *
 * Expected: holds
 */
class LazyWriter {
    static volatile boolean ready;
    static volatile boolean done;

    static void write() {
        while (!ready) {
            Thread.yield();
        }
        done = true;
    }

    public static void main(String[] args) {
        new Thread(LazyWriter::write, "writer").start();
        ready = true;
    }
}
