/*
 * Two clients take turns at a printer. A client that waits gets it, unless the other one never lets go:
 *
 *     everypath check examples/java/Printer.java --ltl 'G (in(Printer.print, one) -> F !in(Printer.print, one))'
 *     everypath check examples/java/Printer.java --ltl 'G (Printer.busy -> F !Printer.busy)'
 *
 * Expected: holds
 */
class Printer {
    static volatile boolean busy;
    static int pages;

    static synchronized void print() {
        busy = true;
        pages++;
        busy = false;
    }

    static void client() {
        for (int page = 0; page < 2; page++) {
            print();
        }
    }

    public static void main(String[] args) {
        new Thread(Printer::client, "one").start();
        new Thread(Printer::client, "two").start();
    }
}
