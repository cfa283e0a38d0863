// A number that may be any: those are tried that the program compares with.
// ends: large
// ends: other
// ends: found
import org.sosy_lab.sv_benchmarks.Verifier;

class AnyNumber {
    public static void main(String[] args) {
        int number = Verifier.nondetInt();
        if (number * 2 == 1_046_528) {
            System.out.println("found");
        } else {
            System.out.println(number > 523_264 ? "large" : "other");
        }
    }
}
