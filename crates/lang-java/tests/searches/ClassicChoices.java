// The classic names of choices; counters that nobody reads.
// ends: 1 false 2.5
// ends: 1 true 2.5
// ends: 2 false 2.5
// ends: 2 true 2.5
import gov.nasa.jpf.vm.Verify;

class ClassicChoices {
    public static void main(String[] args) {
        int number = Verify.getInt(1, 3);
        boolean flag = Verify.getBoolean(false);
        double value = Verify.getDoubleFromList(1.5, 2.5);
        Verify.ignoreIf(value < 2 || number == 3);
        Verify.incrementCounter(0);
        Verify.resetCounter(1);
        Verify.addComment("nothing");
        assert Long.bitCount(Verify.getBitFlip(8L, 2, 4) ^ 8) == 2;
        assert Verify.isRunningInJPF();
        System.out.println(number + " " + flag + " " + value);
    }
}
