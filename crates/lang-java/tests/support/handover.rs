//! Random small programs in which threads get objects by what they capture, pass them on, keep them or let go of
//! them, and end at any time: who can reach what changes all the while.

use everypath_model::Rng;

/// What a thread knows by name.
#[derive(Clone)]
struct Scope {
    boxes: Vec<String>,
    /// Threads that it may still start.
    threads: usize,
    names: usize,
}

/// A program of two or three threads. The same seed gives the same program.
pub fn program(name: &str, seed: u64) -> String {
    let mut random = Rng::new(seed ^ 0x0bad_cafe);
    let mut text = HEAD.replace("NAME", name);
    text.push_str("    public static void main(String[] args) throws Exception {\n");
    let mut scope = Scope { boxes: Vec::new(), threads: 2, names: 0 };
    new_box(&mut scope, &mut text, 2);
    if random.chance(40) {
        new_box(&mut scope, &mut text, 2);
    }
    let library = random.chance(40);
    start(&mut random, &mut text, &mut scope, 2, library);
    let count = random.range(1, 3);
    for _ in 0..count {
        statement(&mut random, &mut text, &mut scope, 2, library);
    }
    text.push_str("    }\n}\n");
    text
}

const HEAD: &str = "import java.util.concurrent.*;
import java.util.concurrent.atomic.*;

class NAME {
    static class Box {
        int x;
        volatile int v;
        Box next;
        final ConcurrentHashMap<String, Integer> map = new ConcurrentHashMap<>();
        final LinkedBlockingQueue<Integer> jobs = new LinkedBlockingQueue<>();
        synchronized void add() { x++; }
        synchronized int get() { return x; }
    }
    static volatile Box slot;
    static volatile int flag;
    static final AtomicReference<Box> cell = new AtomicReference<>();

";

fn new_box(scope: &mut Scope, text: &mut String, indent: usize) {
    let name = format!("b{}", scope.names);
    scope.names += 1;
    text.push_str(&format!("{}Box {name} = new Box();\n", "    ".repeat(indent)));
    scope.boxes.push(name);
}

/// Starts a thread that does some things with some of the objects.
fn start(random: &mut Rng, text: &mut String, scope: &mut Scope, indent: usize, library: bool) {
    let pad = "    ".repeat(indent);
    scope.threads -= 1;
    text.push_str(&format!("{pad}new Thread(() -> {{\n"));
    let mut inner = scope.clone();
    inner.boxes = scope.boxes.iter().filter(|_| random.chance(75)).cloned().collect();
    if inner.boxes.is_empty() {
        inner.boxes.push(scope.boxes[0].clone());
    }
    let count = random.range(1, 3);
    for _ in 0..count {
        statement(random, text, &mut inner, indent + 1, library);
    }
    (scope.threads, scope.names) = (inner.threads, inner.names);
    text.push_str(&format!("{pad}}}).start();\n"));
}

fn statement(random: &mut Rng, text: &mut String, scope: &mut Scope, indent: usize, library: bool) {
    let pad = "    ".repeat(indent);
    let one = random.pick(&scope.boxes).clone();
    let other = random.pick(&scope.boxes).clone();
    let local = format!("i{}", scope.names);
    let value = random.range(1, 3);
    let line = match random.below(if library { 22 } else { 16 }) {
        0 | 1 => format!("{one}.x = {value};"),
        2 | 3 => {
            scope.names += 1;
            format!("int {local} = {one}.x; System.out.print(\"x{value}=\" + {local} + \" \");")
        }
        4 => format!("{one}.v = {one}.x + {value};"),
        5 => format!("if ({one}.v == 0) System.out.print(\"v{value} \");"),
        6 => format!("{one}.add();"),
        7 => format!("System.out.print(\"get\" + {one}.get() + \" \");"),
        8 => format!("synchronized ({one}) {{ {one}.x += {value}; }}"),
        9 => format!("{one}.next = {other};"),
        10 => format!("if ({one}.next != null) {one}.next.x += {value};"),
        11 => format!("slot = {one};"),
        12 => {
            scope.names += 1;
            scope.boxes.push(local.clone());
            format!("Box {local} = slot == null ? {one} : slot;")
        }
        13 => format!("cell.set({one}); flag = {value};"),
        14 => {
            scope.names += 1;
            let take = format!("Box {local} = cell.getAndSet(null);");
            format!("{take} if ({local} != null) {{ {local}.x++; System.out.print({local}.x); }}")
        }
        15 if scope.threads > 0 => return start(random, text, scope, indent, library),
        15 => format!("System.out.print(flag + {one}.x);"),
        16 | 17 => format!("{one}.map.put(\"a\", {value});"),
        18 => format!("if ({one}.map.containsKey(\"a\")) System.out.print({one}.map.size());"),
        19 => format!("System.out.print({one}.map.size());"),
        20 => format!("{one}.jobs.add({value});"),
        _ => format!("System.out.print({one}.jobs.poll() + \" \" + {one}.jobs.size());"),
    };
    text.push_str(&format!("{pad}{line}\n"));
}
