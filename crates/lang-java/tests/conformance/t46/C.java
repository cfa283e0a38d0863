// System.exit gives the exit status.
class C {
    public static void main(String[] args) {
        try {
            System.exit(3);
        } finally {
            System.out.println("never");
        }
    }
}
