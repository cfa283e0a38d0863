import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

class Grouping {
    record Person(String name, String city, int age) { }

    static void print(Map<?, ?> map) {
        System.out.println(map);
    }

    public static void main(String[] args) {
        List<Person> people = List.of(new Person("Ann", "Oslo", 31), new Person("Bob", "Rome", 25), new Person("Cid", "Oslo", 45), new Person("Dee", "Rome", 19), new Person("Eve", "Bern", 60));
        print(people.stream().collect(Collectors.groupingBy(Person::city, TreeMap::new, Collectors.mapping(Person::name, Collectors.toList()))));
        System.out.println(people.stream().collect(Collectors.partitioningBy(p -> p.age() > 30, Collectors.counting())));
        print(people.stream().collect(Collectors.toMap(Person::name, Person::age, Integer::sum, TreeMap::new)));
        System.out.println(people.stream().map(Person::name).collect(Collectors.joining(", ", "[", "]")));
        System.out.println(people.stream().collect(Collectors.averagingInt(Person::age)) + " " + people.stream().collect(Collectors.summingInt(Person::age)));
        print(people.stream().collect(Collectors.groupingBy(Person::city, TreeMap::new, Collectors.summarizingInt(Person::age))));
        String both = people.stream().collect(Collectors.teeing(Collectors.counting(), Collectors.minBy((a, b) -> a.age() - b.age()), (c, m) -> c + " " + m.get().name()));
        System.out.println(both);
        int size = people.stream().collect(Collectors.collectingAndThen(Collectors.toList(), List::size));
        System.out.println(size);
        Map<Integer, Long> lengths = Stream.of("a", "bb", "cc", "ddd").collect(Collectors.groupingBy(String::length, Collectors.counting()));
        System.out.println(lengths + " " + Stream.of(1, 2, 3).collect(Collectors.reducing(0, x -> x * x, Integer::sum)));
        System.out.println(IntStream.rangeClosed(1, 5).boxed().collect(Collectors.filtering(x -> x % 2 == 1, Collectors.toSet())));
        System.out.println(Stream.of("x,y", "z").collect(Collectors.flatMapping(s -> Stream.of(s.split(",")), Collectors.toList())));
    }
}
