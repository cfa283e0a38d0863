//! Random small programs whose threads do more with each other than with fields: they end the program, look at the states
//! and groups of others, wait for some time, interrupt, park, initialise classes, hand objects over and drop them, catch
//! local variables in lambdas, start threads, and use executors.

use everypath_model::Rng;

/// What threads may do. The texts are statements; `#` is a number, `%` a value, `@` another thread, `&` a block.
const DEEDS: &[&str] = &[
    "a = a + 1;",
    "b = %;",
    "v = %;",
    "t += %;",
    "box.x = %;",
    "n.incrementAndGet();",
    "System.out.print(% + \" \");",
    // Ends of the program.
    "if (% == #) System.exit(#);",
    "if (% == #) Runtime.getRuntime().halt(#);",
    // What others do.
    "System.out.print(@.getState() + \" \");",
    "t += @.isAlive() ? 1 : 0;",
    "if (@.getState() == Thread.State.BLOCKED) b = #;",
    "t += Thread.activeCount();",
    "t += T[0].getThreadGroup() == null ? 1 : 0;",
    "t += @.isInterrupted() ? 4 : 0;",
    // Time.
    "Thread.sleep(5);",
    "synchronized (L) { if (% == 0) L.wait(10); }",
    "synchronized (L) { while (a == 0 && v == 0) L.wait(50); t++; }",
    "LockSupport.parkNanos(1000);",
    "if (S.tryAcquire(1, TimeUnit.SECONDS)) { & S.release(); } else b = 7;",
    "{ Integer job = jobs.poll(1, TimeUnit.MILLISECONDS); t += job == null ? 5 : job; }",
    "@.join(3);",
    // Interrupts.
    "@.interrupt();",
    "if (Thread.interrupted()) a = 2;",
    "try { synchronized (L) { if (% == 0) L.wait(); } } catch (InterruptedException e) { b = 3; }",
    "try { Thread.sleep(9); } catch (InterruptedException e) { v = 3; }",
    "Thread.currentThread().interrupt();",
    "try { Q.lockInterruptibly(); t++; Q.unlock(); } catch (InterruptedException e) { b++; }",
    // Notifications and permits.
    "synchronized (L) { v = 1; L.notify(); }",
    "synchronized (L) { a = 1; L.notifyAll(); }",
    "synchronized (M) { & }",
    "synchronized (L) { & }",
    "synchronized (box) { & }",
    "Q.lock(); try { & } finally { Q.unlock(); }",
    "LockSupport.park();",
    "LockSupport.unpark(@);",
    "jobs.add(#);",
    "if (n.compareAndSet(0, #)) { & }",
    "if (% == #) { & }",
    // Classes.
    "t += Lazy.value;",
    "Lazy.value = %;",
    "t += Other.get();",
    // Objects that are handed over and dropped.
    "slot = new Box(t);",
    "{ Box q = slot; if (q != null) { slot = null; q.x++; t += q.x; } }",
    "{ Box q = slot; slot = new Box(%); if (q != null) q.x = #; }",
    "{ Box q = box; t += q.x; box = new Box(#); q.x = t; }",
    "{ Box q = slot; t += q == null ? 0 : 1; }",
    "{ Box q = slot; if (q != null) { q.next = mine; } }",
    "{ Box q = mine; slot = q; mine = new Box(#); q.x += 1; }",
    "{ Box q = box.next; if (q != null) { t += q.x; box.next = null; } else box.next = new Box(#); }",
    "box.z = new int[] {%, #}; t += box.z[0];",
    "{ int[] z = box.z; box.z = new int[2]; z[0] += 1; t += z[0]; }",
    // Local variables of lambdas, and threads that start threads.
    "{ Box q = mine; Thread w = new Thread(() -> { q.x += 1; a = q.x; }); w.start(); t += q.x; }",
    "{ Box q = new Box(%); Thread w = new Thread(() -> q.x += 1); w.start(); w.join(); t += q.x; }",
    "{ int u = t; Thread w = new Thread(() -> b = u + v); w.setDaemon(true); w.start(); }",
    "{ Runnable r = () -> box.x++; r.run(); }",
];

/// What only programs with an executor do.
const WORK: &[&str] = &[
    "E.execute(() -> a = v + 1);",
    "t += E.submit(() -> { a++; return b; }).get();",
    "{ Box q = mine; E.execute(() -> q.x = a); t += q.x; }",
    "{ Future<?> f = E.submit(() -> { b = 4; }); t += f.isDone() ? 1 : 2; }",
    "E.shutdown();",
    "try { E.execute(() -> v++); } catch (RejectedExecutionException e) { b = 9; }",
];

const HEAD: &str = "import java.util.concurrent.*;
import java.util.concurrent.atomic.*;
import java.util.concurrent.locks.*;

class NAME {
    static int a, b;
    static volatile int v;
    static final Object L = new Object();
    static final Object M = new Object();
    static final ReentrantLock Q = new ReentrantLock();
    static final Semaphore S = new Semaphore(1);
    static final AtomicInteger n = new AtomicInteger();
    static final LinkedBlockingQueue<Integer> jobs = new LinkedBlockingQueue<>();
    static final Thread[] T = new Thread[3];
    static ExecutorService E;
    static Box box = new Box(5), slot;

    static class Box {
        int x;
        Box next;
        int[] z = {3, 4};
        Box(int x) {
            this.x = x;
        }
    }

    static class Lazy {
        static int value = a + 1;
        static {
            b++;
        }
    }

    static class Other {
        static int seen = v;
        static int get() {
            return seen;
        }
    }

";

struct Writer {
    random: Rng,
    threads: usize,
    work: bool,
}

impl Writer {
    fn value(&mut self) -> String {
        let values =
            ["a", "b", "v", "t", "box.x", "mine.x", "n.get()", "0", "1", "(slot == null ? 0 : 2)"];
        (*self.random.pick(&values)).to_owned()
    }

    fn deed(&mut self, depth: usize) -> String {
        loop {
            let deeds = if self.work && self.random.chance(40) { WORK } else { DEEDS };
            let deed = *self.random.pick(deeds);
            if depth == 0 && deed.contains('&') && !deed.contains("&&") {
                continue;
            }
            let mut text = String::new();
            let mut rest = deed.chars().peekable();
            while let Some(letter) = rest.next() {
                match letter {
                    '%' => text.push_str(&self.value()),
                    '#' => text.push_str(&self.random.range(1, 3).to_string()),
                    '@' => text.push_str(&format!("T[{}]", self.random.below(self.threads))),
                    '&' if rest.peek() == Some(&'&') => {
                        rest.next();
                        text.push_str("&&");
                    }
                    '&' => text.push_str(&self.deed(depth - 1)),
                    letter => text.push(letter),
                }
            }
            return text;
        }
    }

    fn deeds(&mut self, count: usize, indent: &str, out: &mut String) {
        for _ in 0..count {
            let deed = self.deed(1);
            out.push_str(&format!("{indent}{deed}\n"));
        }
    }
}

/// A program of main and one or two threads. The same seed gives the same program.
pub fn program(name: &str, seed: u64) -> String {
    let mut random = Rng::new(seed ^ 0x5ce0_e500);
    let threads = if random.chance(25) { 2 } else { 1 };
    let work = random.chance(15);
    let mut writer = Writer { random, threads, work };
    let mut text = HEAD.replace("NAME", name);
    let longest = if threads == 1 { 4 } else { 2 };
    for thread in 0..threads {
        text.push_str(&format!("    static void work{thread}() throws Exception {{\n"));
        text.push_str("        Box mine = new Box(1);\n        int t = 0;\n");
        let count = writer.random.range(1, longest) as usize;
        writer.deeds(count, "        ", &mut text);
        text.push_str("        if (t > 2) System.out.print(\"t\" + t + \" \");\n    }\n");
    }
    text.push_str("    public static void main(String[] args) throws Exception {\n");
    text.push_str("        Box mine = new Box(7);\n        int t = 0;\n");
    if work {
        text.push_str("        E = Executors.newSingleThreadExecutor();\n");
    }
    for thread in 0..threads {
        text.push_str(&format!("        T[{thread}] = new Thread(() -> run({thread}));\n"));
        if writer.random.chance(10) {
            text.push_str(&format!("        T[{thread}].setDaemon(true);\n"));
        }
    }
    if writer.random.chance(20) {
        writer.deeds(1, "        ", &mut text);
    }
    for thread in 0..threads {
        text.push_str(&format!("        T[{thread}].start();\n"));
    }
    let count = writer.random.range(0, longest) as usize;
    writer.deeds(count, "        ", &mut text);
    if writer.random.chance(60) {
        for thread in 0..threads {
            text.push_str(&format!("        T[{thread}].join();\n"));
        }
    }
    if work {
        text.push_str("        E.shutdown();\n");
    }
    text.push_str(
        "        System.out.println(a + \" \" + b + \" \" + v + \" \" + box.x + \" \" + n + \" \" + t + \" \" + mine.x + \" \" + \
         (slot == null ? -1 : slot.x));\n    }\n",
    );
    text.push_str(
        "    static void run(int which) {\n        try {\n            switch (which) {\n",
    );
    for thread in 0..threads {
        text.push_str(&format!("                case {thread}: work{thread}(); break;\n"));
    }
    text.push_str(
        "            }\n        } catch (Exception e) {\n            throw new IllegalStateException(e);\n        }\n    }\n}\n",
    );
    text
}
