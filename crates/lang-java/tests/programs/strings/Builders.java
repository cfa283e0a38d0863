class Builders {
    public static void main(String[] args) {
        StringBuilder b = new StringBuilder();
        b.append(1).append('c').append(2L).append(1.5f).append(2.5).append(true).append("s").append((Object) null).append(new char[] {'x', 'y'});
        System.out.println(b + " " + b.length());
        b.insert(0, "start ").insert(3, 42).insert(1, 'q').insert(2, 1.25);
        System.out.println(b);
        b.delete(0, 5).deleteCharAt(0).replace(0, 3, "REPL").setCharAt(1, '*');
        System.out.println(b);
        b.reverse();
        System.out.println(b + " " + b.indexOf("t") + " " + b.lastIndexOf("l"));
        b.setLength(5);
        System.out.println("[" + b + "]");
        b.setLength(7);
        System.out.println((int) b.charAt(6) + " " + b.substring(2, 4) + " " + b.subSequence(0, 1));
        b.append("abcdef", 1, 3).append(new char[] {'1', '2', '3'}, 1, 2).appendCodePoint(0x1f600).append("\u4e2d");
        System.out.println(b.length() + " " + b.codePointAt(b.length() - 3) + " " + b.toString().trim().length());
        StringBuilder big = new StringBuilder(0);
        for (int i = 0; i < 1000; i++) big.append(i % 10);
        System.out.println(big.length() + " " + big.charAt(777) + " " + big.toString().hashCode());
        System.out.println(new StringBuilder("abc").compareTo(new StringBuilder("abd")) + " " + new StringBuilder("a").equals(new StringBuilder("a")));
        StringBuffer f = new StringBuffer("buf");
        f.append(1).insert(0, 'x').reverse();
        System.out.println(f + " " + f.capacity());
        System.out.println(new StringBuilder().append(-0.0).append(' ').append(Integer.MIN_VALUE).append(' ').append(Long.MIN_VALUE).append((String) null));
        b = new StringBuilder("chars");
        b.getChars(1, 3, new char[4], 0);
        System.out.println(b.chars().max().getAsInt());
        try {
            b.setLength(-1);
        } catch (IndexOutOfBoundsException e) {
            System.out.println(e.getMessage());
        }
    }
}
