import java.time.LocalDate;

class Calendar {
    public static void main(String[] args) {
        LocalDate first = LocalDate.of(2024, 2, 1);
        StringBuilder b = new StringBuilder("Mo Tu We Th Fr Sa Su\n");
        b.append("   ".repeat(first.getDayOfWeek().getValue() - 1));
        for (LocalDate d = first; d.getMonth() == first.getMonth(); d = d.plusDays(1)) {
            b.append(String.format("%2d", d.getDayOfMonth())).append(d.getDayOfWeek().getValue() == 7 ? "\n" : " ");
        }
        System.out.println(b);
        int fridays = 0;
        for (LocalDate d = LocalDate.of(2020, 1, 13); d.getYear() < 2025; d = d.plusMonths(1)) {
            if (d.getDayOfWeek().getValue() == 5) fridays++;
        }
        System.out.println(fridays);
    }
}
