import java.util.EnumMap;
import java.util.Map;

class StateMachine {
    enum State { IDLE, RUNNING, PAUSED, DONE }

    enum Input { START, PAUSE, STOP }

    static final Map<State, Map<Input, State>> TABLE = new EnumMap<>(State.class);

    static void rule(State s, Input i, State t) {
        TABLE.computeIfAbsent(s, k -> new EnumMap<>(Input.class)).put(i, t);
    }

    static {
        rule(State.IDLE, Input.START, State.RUNNING);
        rule(State.RUNNING, Input.PAUSE, State.PAUSED);
        rule(State.RUNNING, Input.STOP, State.DONE);
        rule(State.PAUSED, Input.START, State.RUNNING);
    }

    public static void main(String[] args) {
        State s = State.IDLE;
        for (Input i : new Input[] {Input.START, Input.PAUSE, Input.STOP, Input.START, Input.STOP, Input.START}) {
            State t = TABLE.getOrDefault(s, Map.of()).get(i);
            System.out.println(s + " --" + i + "--> " + (t == null ? "ignored" : t));
            if (t != null) s = t;
        }
        System.out.println(TABLE);
    }
}
