// Array indices out of bounds.
class C {
    public static void main(String[] args) {
        int[] a = new int[3];
        for (int i : new int[] {3, -1}) {
            try {
                System.out.println(a[i]);
            } catch (ArrayIndexOutOfBoundsException e) {
                System.out.println(e.getMessage());
            }
        }
    }
}
