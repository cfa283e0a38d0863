import java.util.InputMismatchException;
import java.util.NoSuchElementException;
import java.util.Scanner;

class Scanning {
    public static void main(String[] args) {
        Scanner s = new Scanner("12 abc 3.5\nsecond line\n-7 true 99999999999");
        System.out.println(s.nextInt() + " " + s.next() + " " + s.nextDouble() + " [" + s.nextLine() + "] " + s.nextLine());
        System.out.println(s.hasNextInt() + " " + s.nextInt() + " " + s.nextBoolean() + " " + s.hasNextInt() + " " + s.nextLong() + " " + s.hasNext());
        try {
            s.next();
        } catch (NoSuchElementException e) {
            System.out.println(e);
        }
        try {
            new Scanner("word").nextInt();
        } catch (InputMismatchException e) {
            System.out.println(e.getMessage());
        }
        Scanner d = new Scanner("a,b;c").useDelimiter("[,;]");
        System.out.println(d.next() + d.next() + d.next());
    }
}
