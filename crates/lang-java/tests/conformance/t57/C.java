// Formatted numbers and bad formats.
class C {
    public static void main(String[] args) {
        System.out.println(String.format("%.1f %.0f %.2f %.1f", 0.25, 2.5, 1.005, 0.35));
        System.out.println(String.format("%e", 12345.678));
        System.out.println(String.format("%g", 0.0001));
        try {
            System.out.println(String.format("%d", "a"));
        } catch (IllegalArgumentException e) {
            System.out.println(e.getMessage());
        }
        try {
            System.out.println(String.format("%s"));
        } catch (IllegalArgumentException e) {
            System.out.println(e.getMessage());
        }
    }
}
