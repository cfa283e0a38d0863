import java.util.concurrent.TimeUnit;

class EnumSwitchAcross {
    static String unit(TimeUnit u) {
        switch (u) {
            case SECONDS: return "s";
            case MINUTES: return "m";
            default: return u.name().toLowerCase();
        }
    }

    static int state(Thread.State s) {
        return switch (s) {
            case NEW -> 0;
            case RUNNABLE -> 1;
            case TERMINATED -> 9;
            default -> 5;
        };
    }

    public static void main(String[] args) {
        for (TimeUnit u : TimeUnit.values()) {
            System.out.print(unit(u) + " ");
        }
        System.out.println();
        for (Thread.State s : Thread.State.values()) {
            System.out.print(state(s));
        }
        System.out.println(TimeUnit.DAYS.toSeconds(2) + " " + TimeUnit.NANOSECONDS.convert(3, TimeUnit.SECONDS));
    }
}
