class UncaughtInMain {
    static int[] data = {1, 2, 3};

    static int at(int i) {
        return data[i];
    }

    public static void main(String[] args) {
        System.out.println(at(2));
        System.out.println(at(3));
    }
}
