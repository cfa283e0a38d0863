import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

class CsvReport {
    static final String DATA = """
        region,product,units,price
        north,apple,10,0.5
        south,pear,3,1.25
        north,pear,7,1.25
        south,apple,bad,0.5
        east,apple,4,
        """;

    record Sale(String region, String product, int units, double price) {
        static Sale parse(String line) {
            String[] p = line.split(",");
            if (p.length != 4) throw new IllegalArgumentException("columns: " + p.length);
            return new Sale(p[0], p[1], Integer.parseInt(p[2]), Double.parseDouble(p[3]));
        }

        double total() {
            return units * price;
        }
    }

    public static void main(String[] args) {
        Map<String, Double> totals = DATA.lines().skip(1).flatMap(l -> {
            try {
                return java.util.stream.Stream.of(Sale.parse(l));
            } catch (IllegalArgumentException e) {
                System.out.println("skipped '" + l + "': " + e.getMessage());
                return java.util.stream.Stream.empty();
            }
        }).collect(Collectors.groupingBy(Sale::region, TreeMap::new, Collectors.summingDouble(Sale::total)));
        totals.forEach((k, v) -> System.out.printf("%-6s %8.2f%n", k, v));
    }
}
