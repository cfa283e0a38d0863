//! Random small programs with threads: locks, waiting, volatile and plain fields, publication, elements of
//! arrays, and some of java.util.concurrent.

use everypath_model::Rng;

/// A program of two or three threads. The same seed gives the same program.
pub fn program(name: &str, seed: u64) -> String {
    let mut random = Rng::new(seed ^ 0x5eed_07a5);
    let threads = if random.chance(25) { 3 } else { 2 };
    let mut text = HEAD.replace("NAME", name);
    let longest = if threads == 2 { 4 } else { 2 };
    for thread in 0..threads {
        text.push_str(&format!("    static void work{thread}() throws Exception {{\n"));
        text.push_str("        Box mine = new Box(1);\n        int t = 0;\n");
        let count = random.range(1, longest);
        for _ in 0..count {
            statement(&mut random, &mut text, 2, 1);
        }
        text.push_str("        if (t > 100) System.out.print(mine.x);\n    }\n");
    }
    text.push_str("    public static void main(String[] args) throws Exception {\n");
    text.push_str("        Box mine = new Box(7);\n        int t = 0;\n");
    if random.chance(30) {
        statement(&mut random, &mut text, 2, 1);
    }
    for thread in 0..threads {
        text.push_str(&format!("        Thread t{thread} = new Thread(() -> run({thread}));\n"));
        text.push_str(&format!("        t{thread}.start();\n"));
    }
    if random.chance(40) {
        statement(&mut random, &mut text, 2, 1);
    }
    let joined = !random.chance(15);
    if joined {
        for thread in 0..threads {
            text.push_str(&format!("        t{thread}.join();\n"));
        }
    }
    if joined && random.chance(40) {
        text.push_str(&format!("        assert a != {};\n", random.range(0, 3)));
    }
    text.push_str(
        "        System.out.println(a + \" \" + b + \" \" + v + \" \" + box.x + \" \" + box.y + \" \" + n + \" \" + \
         items[0] + \" \" + t);\n    }\n",
    );
    text.push_str(
        "    static void run(int which) {\n        try {\n            switch (which) {\n",
    );
    for thread in 0..threads {
        text.push_str(&format!("                case {thread}: work{thread}(); break;\n"));
    }
    text.push_str("            }\n        } catch (Exception e) {\n            throw new IllegalStateException(e);\n        }\n    }\n}\n");
    text
}

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
    static final int[] items = new int[2];
    static Box box = new Box(5);

    static class Box {
        int x;
        volatile int y;
        final int z;
        Box(int z) {
            x = z;
            this.z = z;
        }
        synchronized void add(int by) {
            x += by;
        }
        synchronized int get() {
            return x;
        }
    }

";

fn value(random: &mut Rng) -> String {
    let simple =
        ["a", "b", "v", "t", "box.x", "box.y", "box.z", "mine.x", "n.get()", "items[0]", "1", "2"];
    (*random.pick(&simple)).to_string()
}

fn statement(random: &mut Rng, text: &mut String, indent: usize, depth: usize) {
    let pad = "    ".repeat(indent);
    let body = |random: &mut Rng, text: &mut String| {
        let count = random.range(1, 2);
        for _ in 0..count {
            statement(random, text, indent + 1, depth - 1);
        }
    };
    let lock = *random.pick(&["L", "L", "M", "box"]);
    match random.below(if depth > 0 { 22 } else { 15 }) {
        0 => text.push_str(&format!("{pad}a = a + 1;\n")),
        1 => text.push_str(&format!("{pad}b = {};\n", value(random))),
        2 => text.push_str(&format!("{pad}v = {};\n", value(random))),
        3 => text.push_str(&format!("{pad}t = t + {};\n", value(random))),
        4 => text.push_str(&format!("{pad}box.add({});\n", random.range(1, 2))),
        5 => text.push_str(&format!("{pad}t = box.get();\n")),
        6 => text.push_str(&format!("{pad}mine.x = mine.x + {};\n", value(random))),
        7 => text.push_str(&format!("{pad}box = mine;\n")),
        8 => text.push_str(&format!("{pad}n.incrementAndGet();\n")),
        9 => text.push_str(&format!("{pad}items[{}] = {};\n", random.below(2), value(random))),
        10 => text.push_str(&format!("{pad}System.out.print({} + \" \");\n", value(random))),
        11 => text.push_str(&format!("{pad}box.y = {};\n", value(random))),
        12 => text.push_str(&format!("{pad}jobs.add({});\n", random.range(1, 2))),
        13 => text.push_str(&format!(
            "{pad}{{ Integer job = jobs.poll(); if (job != null) t += job; }}\n"
        )),
        14 => text.push_str(&format!("{pad}if (n.compareAndSet(0, 2)) a = 3;\n")),
        15 | 16 => {
            text.push_str(&format!("{pad}synchronized ({lock}) {{\n"));
            body(random, text);
            text.push_str(&format!("{pad}}}\n"));
        }
        17 => {
            text.push_str(&format!("{pad}Q.lock();\n{pad}try {{\n"));
            body(random, text);
            text.push_str(&format!("{pad}}} finally {{\n{pad}    Q.unlock();\n{pad}}}\n"));
        }
        18 => {
            text.push_str(&format!("{pad}if ({} == {}) {{\n", value(random), random.range(0, 2)));
            body(random, text);
            text.push_str(&format!("{pad}}}\n"));
        }
        19 => text.push_str(&format!(
            "{pad}synchronized (L) {{ if ({} == 0) L.wait(); }}\n",
            *random.pick(&["a", "b", "v"])
        )),
        20 => text.push_str(&format!(
            "{pad}synchronized (L) {{ {} = 1; L.{}(); }}\n",
            *random.pick(&["a", "b", "v"]),
            *random.pick(&["notify", "notifyAll"])
        )),
        _ => {
            text.push_str(&format!("{pad}S.acquire();\n"));
            body(random, text);
            text.push_str(&format!("{pad}S.release();\n"));
        }
    }
}
