import java.util.ArrayList;
import java.util.List;

/*
 * Three clerks keep ledgers of their own and sign a journal. Who signed when stays in the journal, so
 * hardly any state comes twice; but most steps touch different pages and can change places. `--search
 * stateless` follows one run for each order of those that cannot: who signs, and who ends, when.
 *
 * Expected: holds
 */
class Ledgers {
    static final int[] PAGES = new int[12];
    static final List<Integer> JOURNAL = new ArrayList<>();

    static void keep(int clerk) {
        for (int page = 4 * clerk; page < 4 * clerk + 4; page++) {
            PAGES[page] = clerk + 1;
        }
        synchronized (JOURNAL) {
            JOURNAL.add(clerk);
        }
    }

    public static void main(String[] args) throws InterruptedException {
        Thread[] clerks = new Thread[3];
        for (int clerk = 0; clerk < clerks.length; clerk++) {
            int number = clerk;
            clerks[clerk] = new Thread(() -> keep(number));
            clerks[clerk].start();
        }
        for (Thread clerk : clerks) {
            clerk.join();
        }
        assert JOURNAL.size() == 3;
    }
}
