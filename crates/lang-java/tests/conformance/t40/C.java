// sleep(0) notices a pending interrupt.
class C {
    public static void main(String[] args) {
        Thread.currentThread().interrupt();
        try {
            Thread.sleep(0);
            System.out.println("slept");
        } catch (InterruptedException e) {
            System.out.println(e.getMessage());
        }
    }
}
