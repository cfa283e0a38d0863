//! Random Java programs with events: threads that are started and joined, monitors and locks that a thread may take
//! again, waiting with and without time, exceptions through calls, interrupts, and pools.

use everypath_model::Rng;

/// The rules for the events of a program.
pub fn rules(class: &str) -> Vec<(String, String)> {
    let event = |name: &str, what: &str| (name.to_owned(), what.to_owned());
    let mut rules: Vec<(String, String)> =
        ["a", "b", "c"].iter().map(|name| event(name, &format!("call {class}.{name}"))).collect();
    rules.push(event("in", &format!("call {class}.guarded")));
    rules.push(event("out", &format!("exit {class}.guarded")));
    rules.push(event("left", &format!("exit {class}.risky")));
    rules.push(event("run", "call Job.run"));
    rules
}

/// A program.
pub fn program(class: &str, rng: &mut Rng) -> String {
    let pool = rng.chance(6);
    let mut maker = Maker { rng, depth: 0, text: String::new(), names: 0 };
    maker.text += &HEAD.replace("NAME", class);
    maker.text += "    static synchronized void guarded() throws InterruptedException {\n";
    maker.body(2, Around { statics: true, ..Around::default() });
    maker.text += "    }\n    static void risky() throws InterruptedException {\n";
    maker.body(2, Around { caught: true, ..Around::default() });
    maker.text += "    }\n";
    let threads = if pool { 1 } else { 1 + maker.rng.below(2) };
    for thread in 0..threads {
        let job = maker.rng.chance(50);
        let head = if job { "extends Job" } else { "extends Thread" };
        maker.text +=
            &format!("    static class T{thread} {head} {{\n        public void run() {{\n");
        maker.text += "            try {\n";
        maker.body(3, Around::default());
        maker.text += "                if (k == 2) Thread.sleep(1);\n";
        maker.text +=
            "            } catch (InterruptedException e) {\n                b();\n            }\n";
        maker.text += "        }\n    }\n";
        maker.text += &format!("    static Thread make{thread}() {{\n        return ");
        maker.text += &match job {
            true => format!("new Thread(new T{thread}());\n    }}\n"),
            false => format!("new T{thread}();\n    }}\n"),
        };
    }
    maker.text += "    public static void main(String[] args) throws Exception {\n";
    if pool {
        maker.pool();
    }
    for thread in 0..threads {
        maker.text += &format!("        Thread t{thread} = make{thread}();\n");
    }
    maker.threads(threads);
    maker.text += "    }\n}\n";
    maker.text
}

const HEAD: &str = "import java.util.concurrent.*;
import java.util.concurrent.atomic.*;
import java.util.concurrent.locks.*;

public class NAME {
    static class Wrong extends Exception {}
    static class Worse extends RuntimeException {}
    static abstract class Job implements Runnable {
        public abstract void run();
    }
    static final Object m = new Object();
    static final ReentrantLock lock = new ReentrantLock();
    static final Condition condition = lock.newCondition();
    static boolean x;
    static volatile boolean y;
    static int k = 1;
    static final AtomicBoolean flag = new AtomicBoolean();
    static int[] cells = new int[1];
    static void a() {}
    static void b() {}
    static void c() {}
    static void again(int n) {
        a();
        if (n > 0) {
            synchronized (m) {
                again(n - 1);
            }
        }
        b();
    }
    static void deep(int n) {
        lock.lock();
        try {
            if (n > 0) deep(n - 1); else c();
        } finally {
            lock.unlock();
        }
    }
";

/// What there is around a statement.
#[derive(Clone, Copy, Default)]
struct Around {
    /// How often `m`, the class and `lock` are held.
    m: u32,
    statics: bool,
    lock: u32,
    /// Whether exceptions that nobody declares are caught further out.
    caught: bool,
    /// Whether `Wrong` is.
    wrong: bool,
    inside: u32,
}

struct Maker<'a> {
    rng: &'a mut Rng,
    depth: usize,
    text: String,
    names: usize,
}

impl Maker<'_> {
    fn line(&mut self, text: &str) {
        self.text += &"    ".repeat(2 + self.depth);
        self.text += text;
        self.text.push('\n');
    }

    fn body(&mut self, most: usize, around: Around) {
        self.depth += 1;
        for _ in 0..1 + self.rng.below(most) {
            self.statement(around);
        }
        self.depth -= 1;
    }

    fn block(&mut self, head: &str, around: Around) {
        self.line(&format!("{head} {{"));
        self.body(2, Around { inside: around.inside + 1, ..around });
        self.line("}");
    }

    fn name(&mut self) -> usize {
        self.names += 1;
        self.names
    }

    fn condition(&mut self) -> &'static str {
        self.rng.pick::<&str>(&[
            "x",
            "!x",
            "y",
            "flag.get()",
            "k == 1",
            "flag.compareAndSet(false, true)",
        ])
    }

    fn statement(&mut self, around: Around) {
        let deep = around.inside >= 3;
        match self.rng.below(if deep { 9 } else { 28 }) {
            0..=3 => {
                let event = *self.rng.pick(&["a();", "b();", "c();"]);
                self.line(event);
            }
            4 => {
                let quick = ["x = true;", "x = false;", "y = true;", "flag.set(true);", "k = 2;"];
                let quick = *self.rng.pick(&quick);
                self.line(quick);
            }
            5 if around.m > 0 => self.waiting(around),
            6 if around.lock > 0 => {
                let quick = ["condition.await(1, TimeUnit.SECONDS);", "condition.signalAll();"];
                let quick = *self.rng.pick(&quick);
                self.line(quick);
            }
            7 if around.caught => {
                let risk =
                    ["cells[k]++;", "k = 1 / (k - 1);", "Integer.parseInt(\"no\");", "throw0();"];
                let risk = *self.rng.pick(&risk);
                match risk {
                    "throw0();" => self.line("if (x) throw new Worse();"),
                    risk => self.line(risk),
                }
            }
            8 if around.wrong => {
                let condition = self.condition();
                self.line(&format!("if ({condition}) throw new Wrong();"));
            }
            5..=8 => self.line("a();"),
            9..=12 => {
                let around = Around { m: around.m + 1, ..around };
                self.block("synchronized (m)", around);
            }
            13 | 14 => {
                let held = Around { lock: around.lock + 1, ..around };
                self.line("lock.lock();");
                self.block("try", held);
                self.line("finally { lock.unlock(); }");
            }
            15 => {
                // Taken and given back across the blocks of the source.
                let held = Around { lock: around.lock + 1, caught: false, wrong: false, ..around };
                let condition = self.condition();
                self.line("lock.lock();");
                self.line(&format!("boolean more{0} = {condition};", self.names + 1));
                let number = self.name();
                self.line(&format!("if (more{number}) lock.lock();"));
                self.line("try {");
                self.body(1, Around { inside: around.inside + 1, ..held });
                self.line("} finally {");
                self.line(&format!("    if (more{number}) lock.unlock();"));
                self.line("    lock.unlock();");
                self.line("}");
            }
            16 => {
                self.line("if (lock.tryLock()) {");
                self.body(
                    1,
                    Around {
                        lock: around.lock + 1,
                        inside: around.inside + 1,
                        caught: false,
                        wrong: false,
                        ..around
                    },
                );
                self.line("    lock.unlock();");
                self.line("}");
            }
            17 | 18 => {
                let condition = self.condition();
                self.block(&format!("if ({condition})"), around);
                if self.rng.chance(50) {
                    self.block("else", around);
                }
            }
            19 => {
                let number = self.name();
                self.block(&format!("for (int i{number} = 0; i{number} < 2; i{number}++)"), around);
            }
            20 => {
                self.line("try {");
                self.body(2, Around { wrong: true, inside: around.inside + 1, ..around });
                // Somebody has to throw it for it to be caught.
                self.line("    if (k == 2) throw new Wrong();");
                self.line("}");
                let number = self.name();
                self.block(&format!("catch (Wrong e{number})"), around);
                if self.rng.chance(40) {
                    self.block("finally", Around { caught: false, wrong: false, ..around });
                }
            }
            21 | 22 => {
                self.block("try", Around { caught: true, ..around });
                if self.rng.chance(50) {
                    let kinds = ["ArithmeticException", "ArrayIndexOutOfBoundsException"];
                    let kind = *self.rng.pick(&kinds);
                    let number = self.name();
                    self.block(&format!("catch ({kind} e{number})"), around);
                }
                let number = self.name();
                self.block(&format!("catch (RuntimeException e{number})"), around);
                if self.rng.chance(30) {
                    self.block("finally", Around { caught: false, wrong: false, ..around });
                }
            }
            25 => {
                let call = *self.rng.pick(&["again(1);", "again(2);", "deep(1);", "deep(2);"]);
                self.line(call);
            }
            23 if around.inside == 0 && !around.statics && !around.caught => {
                self.line("guarded();");
            }
            24 if around.inside <= 1 && !around.statics && !around.caught => {
                let number = self.name();
                self.line(&format!(
                    "try {{ risky(); }} catch (RuntimeException e{number}) {{ c(); }}"
                ));
            }
            _ => self.line("b();"),
        }
    }

    fn waiting(&mut self, around: Around) {
        let text = match self.rng.below(6) {
            0 => "m.wait(1);",
            1 => "m.notify();",
            2 | 3 => "m.notifyAll();",
            4 => "while (!y) m.wait(1);",
            _ => "if (!y) m.wait();",
        };
        if around.statics || !text.contains("wait();") || self.rng.chance(60) {
            self.line(text);
        }
    }

    fn threads(&mut self, count: usize) {
        for thread in 0..count {
            self.line(&format!("t{thread}.start();"));
            if self.rng.chance(30) {
                self.statement(Around::default());
            }
            if self.rng.chance(25) {
                self.line(&format!("t{thread}.join();"));
            }
        }
        match self.rng.below(8) {
            0 => self.line("t0.interrupt();"),
            1 => self.line(&format!("Thread one = x ? t0 : t{};", count - 1)),
            2 => self.line("synchronized (t0) { while (t0.isAlive()) t0.wait(); c(); }"),
            3 => self.line("synchronized (t0) { t0.join(); a(); }"),
            4 => self.line("t0.join(1);"),
            _ => {}
        }
        let last = self.text.trim_end().ends_with("t1;") || self.text.trim_end().ends_with("t0;");
        match self.rng.below(4) {
            0 if last => self.line("one.join();"),
            0 | 1 => {
                for thread in 0..count {
                    self.line(&format!("t{thread}.join();"));
                }
            }
            2 => self.line("for (Thread t : new Thread[] { t0 }) t.join();"),
            _ => {}
        }
        self.statement(Around::default());
    }

    fn pool(&mut self) {
        self.line("ExecutorService pool = Executors.newSingleThreadExecutor();");
        let task = [
            "() -> a()",
            "() -> { a(); b(); }",
            "() -> { synchronized (m) { a(); } b(); }",
            "() -> { cells[k]++; b(); }",
            "() -> { again(1); }",
        ];
        let task = *self.rng.pick(&task);
        match self.rng.below(4) {
            0 => self.line(&format!("pool.execute({task});")),
            1 => self.line(&format!("CompletableFuture.runAsync({task}, pool).join();")),
            2 => self.line(&format!("pool.submit({task}).get();")),
            _ => self.line(&format!("Future<?> future = pool.submit({task});")),
        }
        self.line("c();");
        self.line("pool.shutdown();");
    }
}
