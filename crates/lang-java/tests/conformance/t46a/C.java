// A failed assertion with a message.
class C {
    public static void main(String[] args) {
        int n = args.length;
        assert n > 0 : "msg " + n;
        System.out.println("assertions are off");
    }
}
