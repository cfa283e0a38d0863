// The phases of a Phaser with one party.
import java.util.concurrent.Phaser;

class C {
    public static void main(String[] args) {
        Phaser p = new Phaser(1);
        System.out.println(p.arrive());
        System.out.println(p.getPhase());
        System.out.println(p.arriveAndDeregister());
        System.out.println(p.isTerminated());
    }
}
