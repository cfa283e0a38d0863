//! Random Java programs whose threads, objects and ways of control have the shapes that people write: threads made in
//! loops, kept in lists and arrays, started by other threads; objects with monitors of their own; `switch`, labelled
//! `break`, `return` through `finally`, resources, lambdas, subclasses; pools of several threads, and futures.

use everypath_model::Rng;

/// The rules for the events of a program.
pub fn rules(class: &str) -> Vec<(String, String)> {
    let event = |name: &str, what: String| (name.to_owned(), what);
    vec![
        event("a", format!("call {class}.a")),
        event("b", format!("call {class}.b")),
        event("c", format!("call {class}.c")),
        event("put", "call Box.put".to_owned()),
        event("took", "exit Box.take".to_owned()),
        event("swap", "call Box.swap".to_owned()),
        event("used", "call Held.go".to_owned()),
        event("closed", "exit Held.close".to_owned()),
        event("asked", format!("call {class}.test")),
    ]
}

/// A program.
pub fn program(class: &str, rng: &mut Rng) -> String {
    let mut maker = Maker { rng, text: HEAD.replace("NAME", class), depth: 1, names: 0, loops: 0 };
    for head in [
        "static void work(int k) throws Exception",
        "static boolean test(boolean p) throws Exception",
        "static int count(int k) throws Exception",
    ] {
        maker.line(&format!("{head} {{"));
        maker.body(2, 1);
        match head.split(' ').nth(1) {
            Some("boolean") => maker.returns(&["p", "!p", "x", "k0 > 0"]),
            Some("int") => maker.returns(&["k", "1 - k", "x ? 1 : 0"]),
            _ => {}
        }
        maker.line("}");
    }
    maker.workers();
    maker.main();
    maker.text.push_str("}\n");
    maker.text
}

const HEAD: &str = "import java.util.*;
import java.util.concurrent.*;
import java.util.concurrent.atomic.*;
import java.util.concurrent.locks.*;

public class NAME {
    static void a() {}
    static void b() {}
    static void c() {}
    static boolean x;
    static int k0 = 1;
    static class Fault extends Exception {
        Fault(Throwable cause) { super(cause); }
    }
    interface Task { void go() throws Exception; }
    enum Mode { ON, OFF, SLEEPING }
    static Mode mode = Mode.OFF;
    static class Box {
        boolean full;
        int times;
        Box next;
        synchronized void put() throws InterruptedException {
            while (full && times < 2) { times++; wait(1); }
            full = true;
            notifyAll();
        }
        synchronized void take() throws InterruptedException {
            if (!full) wait(1);
            full = false;
            notify();
        }
        synchronized boolean swap() throws InterruptedException {
            boolean was = full;
            if (was) take(); else put();
            return was;
        }
    }
    static class Tall extends Box {
        @Override synchronized void put() throws InterruptedException {
            a();
            super.put();
            b();
        }
    }
    static class Held implements AutoCloseable, Task {
        public void go() { c(); }
        public void close() { if (x) b(); }
    }
    static Box box = new Box();
    static final Box tall = new Tall();
    static final ReentrantLock lock = new ReentrantLock();
    static final ReadWriteLock shared = new ReentrantReadWriteLock();
    static final AtomicInteger number = new AtomicInteger();
    static final AtomicReference<Mode> held = new AtomicReference<>(Mode.OFF);
    static void call(Task task) throws Exception { task.go(); }
    static void locked(Box on, Task task) throws Exception { synchronized (on) { task.go(); } }
    static Box either(boolean p) { return p ? box : tall; }
";

struct Maker<'a> {
    rng: &'a mut Rng,
    text: String,
    depth: usize,
    names: usize,
    loops: usize,
}

impl Maker<'_> {
    fn line(&mut self, text: &str) {
        self.text += &"    ".repeat(self.depth);
        self.text += text;
        self.text.push('\n');
    }

    fn pick(&mut self, from: &[&'static str]) -> &'static str {
        from[self.rng.below(from.len())]
    }

    fn name(&mut self) -> usize {
        self.names += 1;
        self.names
    }

    fn returns(&mut self, values: &[&'static str]) {
        let value = self.pick(values);
        self.line(&format!("    return {value};"));
    }

    fn body(&mut self, most: usize, inside: usize) {
        self.depth += 1;
        for _ in 0..1 + self.rng.below(most) {
            self.statement(inside);
        }
        self.depth -= 1;
    }

    fn block(&mut self, head: &str, inside: usize) {
        self.line(&format!("{head} {{"));
        self.body(2, inside + 1);
        self.line("}");
    }

    fn condition(&mut self) -> &'static str {
        self.pick(&[
            "x",
            "!x",
            "k0 == 1",
            "k0 > 1 || x",
            "x && box.full",
            "tall.full",
            "box.swap()",
            "mode == Mode.ON",
            "mode != Mode.OFF",
            "number.get() == 1",
            "number.compareAndSet(0, 1)",
            "held.get() == Mode.ON",
            "box.next == null",
            "!(x ^ tall.full)",
            "(x ? k0 : 0) == 1",
        ])
    }

    fn quick(&mut self) -> &'static str {
        self.pick(&[
            "a();",
            "b();",
            "c();",
            "a();",
            "b();",
            "x = true;",
            "x = !x;",
            "x = box.full;",
            "k0 = x ? 2 : 1;",
            "mode = Mode.ON;",
            "mode = x ? Mode.SLEEPING : Mode.OFF;",
            "number.incrementAndGet();",
            "number.set(0);",
            "held.set(Mode.ON);",
            "box.next = tall;",
            "box.put();",
            "tall.put();",
            "box.take();",
            "either(x).put();",
            "call(() -> a());",
            "locked(box, () -> { b(); c(); });",
            "locked(either(x), () -> c());",
        ])
    }

    fn statement(&mut self, inside: usize) {
        if inside > 3 || self.rng.chance(55) {
            let quick = self.quick();
            return self.line(quick);
        }
        let condition = self.condition();
        match self.rng.below(15) {
            0 | 1 => {
                self.block(&format!("if ({condition})"), inside);
                if self.rng.chance(50) {
                    self.block("else", inside);
                }
            }
            2 => {
                let on = self.pick(&["box", "tall", "lock", "Box.class", "either(x)"]);
                self.block(&format!("synchronized ({on})"), inside);
            }
            3 => {
                let name = self.name();
                self.line(&format!("switch (k0 + {}) {{", self.names % 2));
                for case in ["case 1:", "case 2:", "default:"] {
                    self.line(case);
                    self.body(1, inside + 1);
                    if self.rng.chance(60) {
                        self.line("    break;");
                    }
                }
                self.line(&format!("}} // {name}"));
            }
            4 => {
                self.line("switch (mode) {");
                for case in ["case ON ->", "case OFF ->", "default ->"] {
                    self.block(case, inside);
                }
                self.line("}");
            }
            5 => self.try_statement(inside),
            6 => {
                let name = self.name();
                self.line(&format!("try (Held held{name} = new Held()) {{"));
                self.body(1, inside + 1);
                self.line(&format!("    held{name}.go();"));
                self.line("}");
            }
            7 => {
                let name = self.name();
                self.line(&format!("out{name}:"));
                self.line(&format!("for (int i{name} = 0; i{name} < 2; i{name}++) {{"));
                self.body(1, inside + 1);
                let way = self.pick(&["break", "continue"]);
                self.line(&format!("    if ({condition}) {way} out{name};"));
                self.body(1, inside + 1);
                self.line("}");
            }
            8 => {
                let name = self.name();
                self.line(&format!("int left{name} = 2;"));
                self.line("do {");
                self.body(1, inside + 1);
                self.line(&format!("}} while (--left{name} > 0 && !({condition}));"));
            }
            9 => {
                let kept = self.pick(&["lock", "shared.writeLock()", "shared.readLock()"]);
                self.line(&format!("{kept}.lock();"));
                self.block("try", inside);
                self.line(&format!("finally {{ {kept}.unlock(); }}"));
            }
            10 => {
                let name = self.name();
                self.line(&format!("boolean flag{name} = {condition};"));
                self.body(1, inside + 1);
                self.block(&format!("if (flag{name})"), inside);
                if self.rng.chance(40) {
                    self.line(&format!("flag{name} = !flag{name};"));
                    self.block(&format!("if (!flag{name})"), inside);
                }
            }
            11 => {
                let name = self.name();
                self.line(&format!("for (Box b{name} : new Box[] {{ box, tall }}) {{"));
                let what = self.pick(&[
                    "synchronized (b) { c(); }",
                    "b.put();",
                    "if (b.full) a(); else b();",
                    "b.full = true;",
                ]);
                let what = what.replace("b.", &format!("b{name}."));
                self.line(&format!("    {}", what.replace("(b)", &format!("(b{name})"))));
                self.line("}");
            }
            12 => {
                let name = self.name();
                self.line(&format!("Runnable later{name} = () -> {{ if ({}) a(); b(); }};", "x"));
                self.body(1, inside + 1);
                self.line(&format!("later{name}.run();"));
            }
            13 => {
                let name = self.name();
                self.line(&format!("Box fresh{name} = new Box();"));
                self.line(&format!("synchronized (fresh{name}) {{ fresh{name}.full = x; }}"));
                self.block(&format!("if (fresh{name}.full)"), inside);
            }
            _ => {
                let name = self.name();
                self.line(&format!("List<Box> all{name} = new ArrayList<>(List.of(box, tall));"));
                let what = ["all.forEach(b -> { c(); b.full = true; });", "all.get(0).take();"];
                let what = self.pick(&what).replace("all", &format!("all{name}"));
                self.line(
                    &what
                        .replace("b ->", &format!("q{name} ->"))
                        .replace("b.full", &format!("q{name}.full")),
                );
            }
        }
    }

    fn try_statement(&mut self, inside: usize) {
        let name = self.name();
        self.line("try {");
        self.body(2, inside + 1);
        let condition = self.condition();
        let thrown = self.pick(&[
            "throw new Fault(null);",
            "throw new IllegalStateException();",
            "k0 = 1 / (k0 - 1);",
            "((Box) null).put();",
            "Object o = box; ((Tall) o).put();",
        ]);
        self.line(&format!("    if ({condition}) {{ {thrown} }}"));
        let way = self.rng.below(5);
        match way {
            0 => {
                self.line(&format!("}} catch (Fault | RuntimeException e{name}) {{"));
                self.body(1, inside + 1);
            }
            1 => {
                self.line(&format!("}} catch (RuntimeException e{name}) {{"));
                self.line("    c();");
                self.line(&format!("    throw new Fault(e{name});"));
            }
            2 => {
                self.line(&format!("}} catch (Exception e{name}) {{"));
                self.body(2, inside + 1);
            }
            3 => {
                self.line(&format!("}} catch (ArithmeticException e{name}) {{"));
                self.line("    a();");
                self.line(&format!("}} catch (Throwable t{name}) {{"));
                self.line("    b();");
            }
            _ => {
                self.line("} finally {");
                self.body(1, inside + 1);
            }
        }
        if self.rng.chance(30) && way < 4 {
            self.line("} finally {");
            self.line("    b();");
        }
        self.line("}");
    }

    fn workers(&mut self) {
        for (name, head) in [("One", "extends Thread"), ("Two", "implements Runnable")] {
            self.line(&format!("static class {name} {head} {{"));
            self.depth += 1;
            self.line("int id;");
            self.line("Thread then;");
            self.line(&format!("{name}(int id) {{ this.id = id; }}"));
            self.line("@Override public void run() {");
            self.line("    try {");
            self.depth += 1;
            self.body(2, 1);
            if self.rng.chance(30) {
                self.block("if (id == 1)", 2);
            }
            if self.rng.chance(25) {
                self.line("    if (then != null) then.start();");
            }
            if self.rng.chance(20) {
                self.line("    if (then != null) { then.join(); c(); }");
            }
            if self.rng.chance(25) {
                let call = self.pick(&["work(id);", "if (test(x)) a();", "k0 = count(id);"]);
                self.line(&format!("    {call}"));
            }
            self.depth -= 1;
            let end = self.pick(&[
                "catch (Exception e) { b(); }",
                "catch (Throwable t) { }",
                "catch (Exception e) { } finally { c(); }",
            ]);
            self.line(&format!("    }} {end}"));
            self.line("}");
            self.depth -= 1;
            self.line("}");
        }
        self.loops = 0;
    }

    fn main(&mut self) {
        self.line("public static void main(String[] args) throws Exception {");
        self.line("    try {");
        self.depth += 1;
        if self.rng.chance(30) {
            self.body(1, 2);
        }
        self.depth += 1;
        match self.rng.below(12) {
            0 => {
                self.line("for (int i = 0; i < 2; i++) new One(i).start();");
            }
            1 => {
                self.line("List<Thread> all = new ArrayList<>();");
                self.line("for (int i = 0; i < 2; i++) all.add(new One(i));");
                self.line("for (Thread t : all) t.start();");
                self.line("for (Thread t : all) t.join();");
            }
            2 => {
                self.line("Thread[] all = { new One(0), new Thread(new Two(1)) };");
                self.line("for (Thread t : all) t.start();");
                self.maybe("all[0].join();");
                self.maybe("for (Thread t : all) t.join();");
            }
            3 => {
                self.line("One first = new One(0);");
                self.line("first.then = new Thread(new Two(1));");
                self.line("first.start();");
                self.maybe("first.join();");
                self.maybe("if (first.then.isAlive()) c();");
                self.maybe("first.then.join();");
            }
            4 => {
                self.line("Thread one = new One(0), two = new One(1);");
                self.line("Thread some = x ? one : two;");
                self.line("one.start();");
                self.maybe("two.start();");
                self.line("some.join();");
            }
            5 => {
                self.line("ExecutorService pool = Executors.newFixedThreadPool(2);");
                self.line("Future<?> done = pool.submit(new Two(0));");
                self.maybe("pool.execute(new Two(1));");
                self.maybe("done.get();");
                self.maybe("a();");
                self.line("pool.shutdown();");
                self.maybe("if (pool.awaitTermination(1, TimeUnit.SECONDS)) c();");
            }
            6 => {
                let then = self.pick(&[
                    "CompletableFuture.runAsync(new Two(0)).thenRun(() -> a()).join();",
                    "CompletableFuture.supplyAsync(() -> x).thenAccept(p -> { if (p) b(); }).get();",
                    "CompletableFuture<Void> f = CompletableFuture.runAsync(() -> b()); c(); f.join();",
                ]);
                self.line(then);
            }
            7 => {
                self.line("CountDownLatch gate = new CountDownLatch(1);");
                self.line("Thread t = new Thread(() -> { a(); gate.countDown(); b(); });");
                self.line("t.start();");
                self.maybe("gate.await();");
                self.maybe("t.join();");
            }
            8 => {
                self.line("One one = new One(0);");
                self.line("one.start();");
                self.maybe("one.interrupt();");
                self.maybe("one.join(1);");
                self.maybe("synchronized (one) { c(); }");
                self.maybe("one.join();");
            }
            9 => {
                self.line("Runnable job = new Two(0);");
                self.line("Thread one = new Thread(job), two = new Thread(job);");
                self.line("one.start();");
                self.maybe("one.join();");
                self.line("two.start();");
                self.maybe("two.join();");
            }
            10 => {
                self.line("Thread one = x ? new One(0) : new One(1);");
                self.line("one.start();");
                self.line("one.join();");
            }
            _ => {
                self.line("Thread one = null;");
                self.line("do {");
                self.line("    if (one != null) one.join();");
                self.line("    one = new One(k0);");
                self.line("    one.start();");
                self.line("} while (k0++ < 2);");
                self.maybe("one.join();");
            }
        }
        self.depth -= 1;
        self.body(2, 2);
        self.depth -= 1;
        let end = self.pick(&[
            "catch (Exception e) { a(); }",
            "catch (Throwable t) { c(); }",
            "finally { b(); }",
            "catch (RuntimeException e) { } finally { c(); }",
        ]);
        self.line(&format!("    }} {end}"));
        self.line("}");
    }

    fn maybe(&mut self, text: &str) {
        if self.rng.chance(55) {
            self.line(text);
        }
    }
}
