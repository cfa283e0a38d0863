class Properties {
    public static void main(String[] args) throws Exception {
        System.out.println(System.getProperty("java.specification.version") + " " + System.getProperty("line.separator").length() + " " + System.getProperty("file.separator") + System.getProperty("path.separator"));
        System.out.println(System.getProperty("no.such") + " " + System.getProperty("no.such", "default"));
        System.out.println(System.setProperty("mine", "1") + " " + System.getProperty("mine") + " " + Integer.getInteger("mine") + " " + Boolean.getBoolean("mine") + " " + System.clearProperty("mine"));
        System.out.println(System.lineSeparator().equals("\n") + " " + Runtime.version().feature() + " " + (Runtime.getRuntime().availableProcessors() > 0) + " " + (Runtime.getRuntime().totalMemory() > 0));
        System.out.println(System.currentTimeMillis() > 1600000000000L);
        System.out.println(System.nanoTime() <= System.nanoTime());
        System.out.println(System.getenv("SURELY_NOT_SET_ANYWHERE"));
        java.util.Properties p = new java.util.Properties();
        p.load(new java.io.StringReader("# comment\na = 1\nb:two words\nc\\ d=x\\u0041"));
        System.out.println(p.getProperty("a") + p.getProperty("b") + p.getProperty("c d") + p.getProperty("e", "?") + p.size());
        System.out.println(System.getSecurityManager());
        try {
            System.getProperty("");
        } catch (IllegalArgumentException e) {
            System.out.println(e.getMessage());
        }
        System.gc();
    }
}
