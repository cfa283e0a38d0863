class SystemOut {
    public static void main(String[] args) {
        System.out.print("no newline");
        System.out.println();
        System.out.println((Object) null);
        System.out.println((String) null);
        System.out.println(new char[] {'c', 'h'});
        System.out.println('x');
        System.out.println(1L);
        System.out.println(1.5f);
        System.out.println(2.5);
        System.out.println(true);
        System.out.println(-7);
        System.out.print((String) null);
        System.out.print(new char[] {'!', '\n'});
        System.out.append('a').append("bc").append("xyz", 1, 2).println();
        System.out.write('w');
        System.out.write(new byte[] {'o', 'k', '\n'}, 0, 3);
        System.out.flush();
        System.out.printf("%s%n", "printf");
        System.err.println("to the error stream");
        System.err.printf("%d%n", 5);
        System.out.println(System.out.checkError());
        System.out.println("tab\tquote\" \u00e9");
        System.out.println(new Object() {
            @Override
            public String toString() {
                return "object";
            }
        });
    }
}
