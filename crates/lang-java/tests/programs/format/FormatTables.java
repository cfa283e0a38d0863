class FormatTables {
    record Row(String name, int count, double price) { }

    public static void main(String[] args) {
        Row[] rows = {new Row("apple", 3, 0.5), new Row("kiwi", 12, 1.25), new Row("watermelon", 1, 1234.5)};
        System.out.printf("%-12s%6s%12s%n", "name", "count", "price");
        double total = 0;
        for (Row r : rows) {
            System.out.printf("%-12s%6d%,12.2f%n", r.name(), r.count(), r.price());
            total += r.count() * r.price();
        }
        System.out.println("-".repeat(30));
        System.out.printf("%18s%,12.2f%n", "total", total);
        for (int i = 1; i <= 3; i++) {
            StringBuilder line = new StringBuilder();
            for (int j = 1; j <= 5; j++) line.append(String.format("%4d", i * j));
            System.out.println(line);
        }
        System.out.println(String.format("|%" + 8 + "s|", "dyn"));
    }
}
