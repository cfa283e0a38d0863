import java.util.LinkedHashMap;
import java.util.Map;

class Bank {
    static class InsufficientFunds extends Exception {
        final long missing;

        InsufficientFunds(long missing) {
            super("missing " + missing);
            this.missing = missing;
        }
    }

    private final Map<String, Long> accounts = new LinkedHashMap<>();

    void open(String name, long amount) {
        if (accounts.putIfAbsent(name, amount) != null) throw new IllegalStateException("exists: " + name);
    }

    void transfer(String from, String to, long amount) throws InsufficientFunds {
        long have = accounts.get(from);
        if (have < amount) throw new InsufficientFunds(amount - have);
        if (!accounts.containsKey(to)) throw new IllegalArgumentException("no account " + to);
        accounts.merge(from, -amount, Long::sum);
        accounts.merge(to, amount, Long::sum);
    }

    public static void main(String[] args) {
        Bank b = new Bank();
        b.open("ann", 100);
        b.open("bob", 20);
        Object[][] moves = {{"ann", "bob", 70L}, {"ann", "bob", 70L}, {"bob", "cid", 1L}, {"eve", "bob", 1L}};
        for (Object[] m : moves) {
            try {
                b.transfer((String) m[0], (String) m[1], (Long) m[2]);
                System.out.println("ok " + b.accounts);
            } catch (InsufficientFunds e) {
                System.out.println(e.getMessage() + " " + e.missing);
            } catch (IllegalArgumentException | NullPointerException e) {
                System.out.println(e.getClass().getSimpleName() + " " + b.accounts);
            }
        }
        try {
            b.open("bob", 0);
        } catch (IllegalStateException e) {
            System.out.println(e.getMessage());
        }
    }
}
