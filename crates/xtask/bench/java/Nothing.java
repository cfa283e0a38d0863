/*
 * How long it takes to begin.
 */
class Nothing {
    public static void main(String[] args) {
    }
}
