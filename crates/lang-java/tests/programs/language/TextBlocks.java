class TextBlocks {
    public static void main(String[] args) {
        String block = """
            Hello,
              "world" \
            joined
            tab\there   \s
            end""";
        System.out.println(block);
        System.out.println(block.length() + " " + block.lines().count());
        System.out.println("""
            a\nb
            """.equals("a\nb\n"));
        System.out.println("%d-%s".formatted(4, "x") + "  strip ".strip() + "ab".repeat(3) + " ".isBlank());
        System.out.println("  x\n y".indent(2) + "|" + "  a\n    b".stripIndent() + "|" + "q\\n".translateEscapes() + "|");
    }
}
