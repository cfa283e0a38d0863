// Methods that handles call take their monitors, and VarHandles are single steps.
// ends: 2 2
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.invoke.VarHandle;

class HandlesOfMonitors {
    int guarded;
    int atomic;

    synchronized void count() {
        guarded++;
    }

    public static void main(String[] args) throws Throwable {
        MethodHandles.Lookup lookup = MethodHandles.lookup();
        MethodHandle count = lookup.findVirtual(HandlesOfMonitors.class, "count", MethodType.methodType(void.class));
        VarHandle atomic = lookup.findVarHandle(HandlesOfMonitors.class, "atomic", int.class);
        HandlesOfMonitors shared = new HandlesOfMonitors();
        MethodHandle bound = count.bindTo(shared);
        Runnable both = () -> {
            try {
                bound.invokeExact();
            } catch (Throwable t) {
                throw new AssertionError(t);
            }
            int old = (int) atomic.getAndAdd(shared, 1);
        };
        Thread other = new Thread(both);
        other.start();
        both.run();
        other.join();
        System.out.println(shared.guarded + " " + shared.atomic);
    }
}
