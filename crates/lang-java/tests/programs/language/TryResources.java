class TryResources {
    static class R implements AutoCloseable {
        final String name;
        final boolean bad;

        R(String name, boolean bad) {
            this.name = name;
            this.bad = bad;
            System.out.println("open " + name);
        }

        @Override
        public void close() {
            System.out.println("close " + name);
            if (bad) throw new IllegalStateException("close " + name);
        }
    }

    static void run(boolean bad, boolean fail) {
        try (R a = new R("a", bad); R b = new R("b", bad); R none = null) {
            System.out.println("body " + a.name + b.name + none);
            if (fail) throw new RuntimeException("body");
        } catch (RuntimeException e) {
            System.out.println("caught " + e.getMessage());
            for (Throwable t : e.getSuppressed()) System.out.println("  suppressed " + t.getMessage());
        } finally {
            System.out.println("finally");
        }
    }

    public static void main(String[] args) {
        run(false, false);
        run(false, true);
        run(true, false);
        run(true, true);
        R shared = new R("shared", false);
        try (shared) {
            System.out.println("using " + shared.name);
        }
    }
}
