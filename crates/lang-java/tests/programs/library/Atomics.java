import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.concurrent.atomic.AtomicIntegerFieldUpdater;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicMarkableReference;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.concurrent.atomic.AtomicReferenceFieldUpdater;
import java.util.concurrent.atomic.AtomicStampedReference;
import java.util.concurrent.atomic.DoubleAdder;
import java.util.concurrent.atomic.LongAccumulator;
import java.util.concurrent.atomic.LongAdder;

class Atomics {
    volatile int n = 1;
    volatile String s = "s";

    public static void main(String[] args) {
        AtomicInteger i = new AtomicInteger(5);
        System.out.println(i.incrementAndGet() + " " + i.getAndAdd(10) + " " + i.compareAndSet(16, 1) + " " + i.updateAndGet(x -> x * 7) + " " + i.accumulateAndGet(3, Math::max) + " " + i + " " + i.getAndSet(0) + i.decrementAndGet() + i.compareAndExchange(-1, 9) + i.getPlain());
        AtomicLong l = new AtomicLong(1L << 40);
        System.out.println(l.addAndGet(5) + " " + l.getAndUpdate(x -> x / 2) + " " + l.get() + " " + l.compareAndSet(0, 1));
        AtomicBoolean b = new AtomicBoolean();
        System.out.println(b.compareAndSet(false, true) + " " + b.getAndSet(false) + b);
        AtomicReference<String> r = new AtomicReference<>("a");
        System.out.println(r.compareAndSet("a", "b") + r.get() + r.getAndUpdate(x -> x + "!") + r.accumulateAndGet("z", String::concat));
        AtomicIntegerArray a = new AtomicIntegerArray(new int[] {1, 2, 3});
        System.out.println(a.incrementAndGet(1) + " " + a.getAndAdd(2, 5) + " " + a + " " + a.length());
        AtomicReferenceArray<String> ra = new AtomicReferenceArray<>(2);
        System.out.println(ra.compareAndSet(0, null, "x") + " " + ra);
        AtomicStampedReference<String> st = new AtomicStampedReference<>("v", 1);
        int[] stamp = new int[1];
        System.out.println(st.compareAndSet("v", "w", 1, 2) + " " + st.get(stamp) + stamp[0] + st.compareAndSet("w", "x", 1, 3));
        AtomicMarkableReference<String> mr = new AtomicMarkableReference<>("m", false);
        System.out.println(mr.attemptMark("m", true) + " " + mr.isMarked());
        AtomicIntegerFieldUpdater<Atomics> u = AtomicIntegerFieldUpdater.newUpdater(Atomics.class, "n");
        AtomicReferenceFieldUpdater<Atomics, String> ru = AtomicReferenceFieldUpdater.newUpdater(Atomics.class, String.class, "s");
        Atomics o = new Atomics();
        System.out.println(u.getAndIncrement(o) + " " + o.n + " " + u.addAndGet(o, 5) + " " + ru.getAndSet(o, "t") + o.s);
        LongAdder adder = new LongAdder();
        adder.add(5);
        adder.increment();
        LongAccumulator max = new LongAccumulator(Math::max, Long.MIN_VALUE);
        max.accumulate(3);
        max.accumulate(9);
        DoubleAdder d = new DoubleAdder();
        d.add(0.5);
        System.out.println(adder.sum() + " " + adder.sumThenReset() + " " + adder + " " + max.get() + " " + d.sum());
        try {
            a.get(3);
        } catch (IndexOutOfBoundsException e) {
            System.out.println(e.getMessage());
        }
    }
}
