/*
 * Two classes need each other while they are initialised. One thread is harmless; two threads that start from different
 * ends wait for each other for ever, and no lock is visible in the source.
 *
 * Expected: violated (deadlock)
 */
class InitialiserDeadlock {
    static class Parser {
        static final int TABLE = Lexer.size() + 1;

        static int size() {
            return 2;
        }
    }

    static class Lexer {
        static final int TABLE = Parser.size() + 1;

        static int size() {
            return 3;
        }
    }

    public static void main(String[] args) throws InterruptedException {
        Thread other = new Thread(() -> System.out.println("lexer " + Lexer.TABLE));
        other.start();
        int table = Parser.TABLE;
        other.join();
        System.out.println("parser " + table);
    }
}
