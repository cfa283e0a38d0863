//! Hostile input: a clear answer in little time and memory, never a panic, a signal or a hang.

#![cfg(unix)]

use std::fs::File;
use std::os::unix::process::ExitStatusExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::Mutex;
use std::sync::atomic::{AtomicU32, AtomicUsize, Ordering};
use std::time::{Duration, Instant};

/// No case may take longer, on a busy machine.
const TIME: Duration = Duration::from_secs(20);
/// Address space of a run: 2 GiB, as the shell wants it, in KiB.
const MEMORY_KIB: u32 = 2 << 20;
/// The answer to a small question is no longer.
const OUTPUT: u64 = 64 << 10;

/// The input is ill-formed.
const BAD: &[i32] = &[2];
/// The input is well formed; only the search may be cut short.
const FINE: &[i32] = &[0, 1, 3];
/// The input is larger than the tool can take.
const LARGE: &[i32] = &[2, 3];
/// Whether it is well formed is not the question here.
const ANY: &[i32] = &[0, 1, 2, 3];

/// A directory that goes away.
struct Folder(PathBuf);

impl Folder {
    fn new() -> Folder {
        static COUNT: AtomicU32 = AtomicU32::new(0);
        let number = COUNT.fetch_add(1, Ordering::Relaxed);
        let name = format!("everypath-hostile-{}-{number}", std::process::id());
        let path = std::env::temp_dir().join(name);
        std::fs::create_dir_all(&path).unwrap();
        Folder(path)
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

/// One run of the program.
struct Case {
    name: String,
    /// Written before the run; `m.pml` is checked.
    files: Vec<(String, Vec<u8>)>,
    /// `check` or `lint`.
    command: &'static str,
    /// After the command; `m.pml` where it is empty.
    args: Vec<String>,
    /// The exit codes that are right.
    exits: &'static [i32],
    /// What the answer has to contain.
    says: &'static str,
    /// The longest answer.
    output: u64,
}

fn model(name: impl Into<String>, exits: &'static [i32], text: impl Into<Vec<u8>>) -> Case {
    let files = vec![("m.pml".to_owned(), text.into())];
    let (command, args) = ("check", Vec::new());
    Case { name: name.into(), files, command, args, exits, says: "", output: OUTPUT }
}

impl Case {
    fn says(self, says: &'static str) -> Case {
        Case { says, ..self }
    }

    /// One line for each of many properties is no flood.
    fn long_answer(self) -> Case {
        Case { output: 8 << 20, ..self }
    }

    fn file(mut self, name: &str, text: impl Into<Vec<u8>>) -> Case {
        self.files.push((name.to_owned(), text.into()));
        self
    }

    fn args(mut self, args: &[&str]) -> Case {
        self.args.extend(args.iter().map(|&arg| arg.to_owned()));
        self
    }

    fn lint(self) -> Case {
        Case { command: "lint", ..self }
    }

    /// Runs it; what is wrong with the run, if anything.
    fn run(&self) -> Result<(), String> {
        let folder = Folder::new();
        for (name, text) in &self.files {
            std::fs::write(folder.0.join(name), text).unwrap();
        }
        self.run_in(&folder.0)
    }

    fn run_in(&self, folder: &Path) -> Result<(), String> {
        let (out, err) = (folder.join("stdout"), folder.join("stderr"));
        let mut command = Command::new("sh");
        command.arg("-c").arg(format!("ulimit -v {MEMORY_KIB}; exec \"$@\"")).args([
            "sh",
            env!("CARGO_BIN_EXE_everypath"),
            self.command,
        ]);
        if !self.args.iter().any(|arg| arg.ends_with(".pml")) {
            command.arg("m.pml");
        }
        // The inputs are about reading and translating; a search is only to begin.
        let limits: &[&str] = match self.command {
            "lint" => &["--explore", "20000"],
            _ => &["--states", "20000", "--mem", "512MiB", "--time", "5s"],
        };
        command
            .args(&self.args)
            .args(limits)
            .current_dir(folder)
            .stdin(Stdio::null())
            .stdout(File::create(&out).unwrap())
            .stderr(File::create(&err).unwrap());
        let start = Instant::now();
        let mut child = command.spawn().unwrap();
        let status = loop {
            if let Some(status) = child.try_wait().unwrap() {
                break status;
            }
            if start.elapsed() > TIME {
                child.kill().unwrap();
                child.wait().unwrap();
                return Err(format!("no answer within {TIME:?}"));
            }
            std::thread::sleep(Duration::from_millis(3));
        };
        let text = |path: &Path| {
            let bytes = std::fs::read(path).unwrap();
            String::from_utf8_lossy(&bytes[..bytes.len().min(2000)]).into_owned()
        };
        let answer = format!("{}{}", text(&out), text(&err));
        if let Some(signal) = status.signal() {
            return Err(format!("signal {signal}\n{answer}"));
        }
        let exit = status.code().unwrap();
        if !self.exits.contains(&exit) {
            return Err(format!("exit {exit} instead of {:?}\n{answer}", self.exits));
        }
        for path in [&out, &err] {
            let length = path.metadata().unwrap().len();
            if length > self.output {
                let short: String = answer.chars().take(300).collect();
                return Err(format!("an answer of {length} bytes\n{short}"));
            }
        }
        if !answer.contains(self.says) {
            return Err(format!("it does not say `{}`\n{answer}", self.says));
        }
        if exit == 2 && !answer.contains("error") {
            return Err(format!("no error is named\n{answer}"));
        }
        Ok(())
    }
}

/// Runs the cases on two threads and fails with the names of all that went wrong.
fn check(cases: Vec<Case>) {
    let (next, wrong) = (AtomicUsize::new(0), Mutex::new(String::new()));
    std::thread::scope(|scope| {
        for _ in 0..2 {
            scope.spawn(|| {
                while let Some(case) = cases.get(next.fetch_add(1, Ordering::Relaxed)) {
                    let start = Instant::now();
                    if let Err(why) = case.run() {
                        let text = format!("{}: {why}\n\n", case.name);
                        wrong.lock().unwrap().push_str(&text);
                    }
                    let time = start.elapsed();
                    if time > Duration::from_secs(2) {
                        eprintln!("{}: {time:.1?}", case.name);
                    }
                }
            });
        }
    });
    let wrong = wrong.into_inner().unwrap();
    assert!(wrong.is_empty(), "\n{wrong}");
}

/// Random bytes, the same in every run.
fn noise(length: usize) -> Vec<u8> {
    let mut state = 0x9e37_79b9_7f4a_7c15_u64;
    let mut next = || {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        (state >> 32) as u8
    };
    (0..length).map(|_| next()).collect()
}

fn many(count: usize, item: impl Fn(usize) -> String) -> String {
    (0..count).fold(String::new(), |mut text, i| {
        text += &item(i);
        text
    })
}

const DEEP: usize = 100_000;
const MB: usize = 1 << 20;

fn deep(open: &str, middle: &str, close: &str) -> String {
    format!("{}{middle}{}", open.repeat(DEEP), close.repeat(DEEP))
}

/// A process with this body and something to talk about.
fn body(inner: &str) -> String {
    format!("byte x, a[2]; chan q = [1] of {{byte}};\nactive proctype P() {{ {inner} }}\n")
}

const SMALL: &str = "byte x;\nactive proctype P() { x = 1; assert(x == 1) }\n";

#[test]
fn texts_that_are_no_models() {
    check(vec![
        model("empty", ANY, ""),
        model("white space", ANY, " \t\r\n\u{b}\u{c} \n"),
        model("a single byte", BAD, "x"),
        model("random bytes", BAD, noise(100_000)),
        model("NULs", BAD, vec![0; 100_000]),
        model("a model with NULs", ANY, SMALL.replace(' ', " \0")),
        model(
            "Latin-1 in a comment",
            FINE,
            [b"/* \xe9\xff */".as_slice(), SMALL.as_bytes()].concat(),
        ),
        model("Latin-1 in a name", BAD, [b"byte \xe9\xff;".as_slice(), SMALL.as_bytes()].concat()),
        model("a cut UTF-8 sequence", ANY, [SMALL.as_bytes(), b"/* */ \xe2\x82"].concat()),
        model("a byte order mark", ANY, format!("\u{feff}{SMALL}")),
        model("UTF-16", BAD, SMALL.bytes().flat_map(|b| [b, 0]).collect::<Vec<u8>>()),
        model("an unterminated comment", BAD, format!("{SMALL}/* never closed")),
        model("an unterminated string", BAD, body("printf(\"never closed)")),
        model("an unterminated character", BAD, body("x = 'a")),
        model("an unterminated c_code", BAD, body("c_code { x = 1;")),
        model("an unterminated c_decl", BAD, "c_decl { int x;"),
        model("an unterminated body", BAD, "init { do :: skip"),
        model("an unterminated inline", BAD, "inline f() { skip"),
        model("a lone backslash at the end", ANY, format!("{SMALL}\\")),
        model("only CR", FINE, SMALL.replace('\n', "\r")),
        model("CR LF", FINE, SMALL.replace('\n', "\r\n")),
        model("a directive without an end of line", ANY, "#define"),
        model("strange directives", ANY, "#\n# \n#if\n#endif x\n#line -1\n#line 99999999999999\n"),
    ]);
}

#[test]
fn long_texts() {
    let garbage: Vec<u8> = noise(10 * MB).iter().map(|b| b' ' + b % 95).collect();
    let declarations = |count| many(count, |i| format!("bool a_variable_with_a_long_name_{i};\n"));
    check(vec![
        model("10 MB of comments", FINE, "/* ...... */\n".repeat(10 * MB / 13) + SMALL),
        model("10 MB of declarations", FINE, declarations(10 * MB / 37) + SMALL),
        model(
            "10 MB of typedefs",
            FINE,
            many(10 * MB / 40, |i| format!("typedef Type{i} {{ byte a; byte b }}\n")) + SMALL,
        ),
        model(
            "10 MB of macros",
            FINE,
            many(10 * MB / 30, |i| format!("#define A{i} (A{} + 1)\n", i + 1)) + SMALL,
        ),
        model("10 MB of statements", LARGE, body(&"x = x + 1; ".repeat(10 * MB / 11))),
        model("10 MB of printable garbage", BAD, garbage),
        model("10 MB of bytes", BAD, noise(10 * MB)),
        model("10 MB in a line", BAD, "x ".repeat(5 * MB)),
        model("10 MB in a valid line", FINE, " ".repeat(10 * MB) + &SMALL.replace('\n', " ")),
        model("10 MB of line ends", FINE, "\n".repeat(10 * MB) + SMALL),
        model(
            "10 MB of semicolons",
            ANY,
            format!("byte x; init {{ skip {} }}", ";".repeat(10 * MB)),
        ),
        model(
            "an identifier of 1 MB",
            ANY,
            format!("byte {0}; init {{ {0} = 1; assert({0} == 2) }}", "x".repeat(MB)),
        ),
        model("an unknown identifier of 1 MB", BAD, body(&format!("{} = 1", "x".repeat(MB)))),
        model("a string of 1 MB", FINE, body(&format!("printf(\"{}\")", "x".repeat(MB)))),
        model(
            "a failing assertion of 1 MB",
            ANY,
            body(&format!("assert(x == 1{})", " ".repeat(MB))),
        ),
        model(
            "a line of 1 MB with a failing assertion",
            FINE,
            body(&format!("{} assert(x == 1)", " ".repeat(MB))),
        ),
        model(
            "an error at the end of a line of 1 MB",
            BAD,
            body(&format!("/*{}*/ y = 1", "é".repeat(MB / 2))),
        ),
        model("numbers of 1 MB", ANY, body(&format!("x = {}", "9".repeat(MB)))),
        model("a bad character 1 MB times", BAD, "@".repeat(MB)),
    ]);
}

#[test]
fn truncated_examples() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/promela");
    let mut paths: Vec<PathBuf> =
        std::fs::read_dir(root).unwrap().map(|entry| entry.unwrap().path()).collect();
    paths.sort();
    let mut cases = Vec::new();
    for path in paths.iter().filter(|path| path.extension().is_some_and(|e| e == "pml")) {
        let text = std::fs::read(path).unwrap();
        for i in 0..20 {
            let at = text.len() * i / 20 + i % 3;
            let name = format!("{} up to {at}", path.display());
            cases.push(model(name, ANY, &text[..at.min(text.len())]));
        }
    }
    assert!(cases.len() >= 400, "{}", cases.len());
    check(cases);
}

#[test]
fn preprocessing() {
    let bomb = many(60, |i| format!("#define A{} A{i} A{i}\n", i + 1));
    let calls = many(60, |i| format!("#define f{}(x) f{i}(x x)\n", i + 1));
    check(vec![
        model("an include of itself", BAD, "#include \"m.pml\"\n").says("m.pml"),
        model("a mutual include", BAD, "#include \"b.h\"\n").file("b.h", "#include \"m.pml\"\n"),
        model("a doubling include", BAD, "#include \"b.h\"\n#include \"b.h\"\n")
            .file("b.h", "#include \"m.pml\"\n#include \"m.pml\"\n"),
        model("a missing include", BAD, "#include \"none.h\"\n").says("none.h"),
        model("an include of a directory", BAD, "#include \".\"\n"),
        model("an include of a device", BAD, "#include \"/dev/zero\"\n"),
        model("an include without an end", BAD, "#include \"b.h\n"),
        model("a doubling macro", BAD, format!("#define A0 x\n{bomb}A60\n")),
        model("a doubling macro of nothing", BAD, format!("#define A0\n{bomb}A60\n")),
        model("a doubling call", BAD, format!("#define f0(x) x\n{calls}f60(y)\n")),
        model("a doubling condition", BAD, format!("#define A0 1 +\n{bomb}#if A60 1\n#endif\n")),
        model("recursive macros", BAD, "#define a b\n#define b a\nbyte a; init { c = b }\n"),
        model("a macro of itself", BAD, "#define f(x) f(f(x))\nbyte y; init { y = f(f(f(1))) }\n"),
        model("a call that does not end", BAD, format!("#define f(x) x\nf({}", "(1,".repeat(DEEP))),
        model("nested #if", ANY, "#if 1\n".repeat(DEEP) + SMALL + &"#endif\n".repeat(DEEP)),
        model("nested #if without ends", BAD, "#if 1\n".repeat(DEEP)),
        model(
            "nested parentheses in #if",
            BAD,
            format!("#if {}\n#endif\n{SMALL}", deep("(", "1", ")")),
        ),
        model(
            "nested conditions in #if",
            ANY,
            format!("#if {}\n#endif\n{SMALL}", deep("1 ? ", "1", ": 0")),
        ),
        model(
            "unary operators in #if",
            ANY,
            format!("#if {}\n#endif\n{SMALL}", deep("!", "1", "")),
        ),
        model("division by zero in #if", BAD, format!("#if 1 / 0\n#endif\n{SMALL}")),
        model("the least number in #if", ANY, "#if (-9223372036854775807 - 1) / -1\n#endif\n"),
        model("a shift in #if", ANY, "#if 1 << 99999999\n#endif\n#if 1 >> -1\n#endif\n"),
        model(
            "a macro of 100,000 parameters",
            ANY,
            format!("#define f({}) x1\n{SMALL}", many(DEEP, |i| format!("x{i},")) + "y"),
        ),
    ]);
}

#[test]
fn deep_nesting() {
    check(vec![
        model("(", BAD, body(&format!("x = {}", deep("(", "1", ")")))),
        model("( without )", BAD, body(&format!("x = {}", "(".repeat(DEEP)))),
        model(")", BAD, body(&")".repeat(DEEP))),
        model("{", BAD, body(&deep("{ ", "skip", " }"))),
        model("{ without }", BAD, body(&"{".repeat(DEEP))),
        model("if", BAD, body(&deep("if :: ", "skip", " fi"))),
        model("if without fi", BAD, body(&"if :: ".repeat(DEEP))),
        model("do", BAD, body(&deep("do :: ", "skip", " od"))),
        model("do without od", BAD, body(&"do :: ".repeat(DEEP))),
        model("!", ANY, body(&format!("x = {}", deep("!", "1", "")))),
        model("-", ANY, body(&format!("x = {}", deep("- ", "1", "")))),
        model("~", ANY, body(&format!("x = {}", deep("~", "1", "")))),
        model("unless to the right", BAD, body(&deep("{ skip } unless { ", "skip", " }"))),
        model("unless to the left", BAD, body(&deep("{ ", "skip", " } unless { skip }"))),
        model("unless in a row", ANY, body(&deep("", "skip", " unless x"))),
        model("atomic", BAD, body(&deep("atomic { ", "skip", " }"))),
        model("d_step", BAD, body(&deep("d_step { ", "skip", " }"))),
        model("for", BAD, body(&deep("for (x : 1 .. 2) { ", "skip", " }"))),
        model("indices", BAD, body(&format!("x = {}", deep("a[", "1", "]")))),
        model("indices on the left", BAD, body(&format!("{} = 1", deep("a[", "1", "]")))),
        model("conditions", BAD, body(&format!("x = {}", deep("(1 -> 1 : ", "1", ")")))),
        model("a sum", ANY, body(&format!("x = {}", deep("1 + ", "1", "")))),
        model("a conjunction", ANY, body(&format!("x = {}", deep("1 && ", "1", "")))),
        model("message patterns", BAD, body(&format!("q?{}", deep("1(", "1", ")")))),
        model("run in run", BAD, body(&format!("x = {}", deep("run P(", "1", ")")))),
        model("labels", ANY, body(&format!("{} skip", many(DEEP, |i| format!("L{i}: "))))),
        model("fields", BAD, body(&format!("x{} = 1", ".x".repeat(DEEP)))),
        model(
            "inline calls",
            BAD,
            format!("inline f(x) {{ x = 1 }} byte y; init {{ {} }}", deep("f(", "y", ")")),
        ),
        model("c_expr", ANY, body(&format!("c_expr {{ {} }}", deep("{", "1", "}")))),
        model("array bounds", BAD, format!("byte a[{}]; init {{ skip }}", deep("(", "1", ")"))),
        // What else is asked has an answer, unless nothing else is.
        model("an ltl formula", &[3], format!("{SMALL} ltl p {{ {} }}", deep("[] ", "x", "")))
            .says("unknown  ltl p"),
        model("an ltl formula alone", BAD, format!("{SMALL} ltl p {{ {} }}", deep("[] ", "x", "")))
            .args(&["--only", "p"])
            .says("m.pml:3"),
        model("negations in ltl", ANY, format!("{SMALL} ltl p {{ {} }}", deep("!", "x", ""))),
        model("until in ltl", ANY, format!("{SMALL} ltl p {{ {} }}", deep("(x U ", "x", ")"))),
        model(
            "implications in ltl",
            ANY,
            format!("{SMALL} ltl p {{ {} }}", deep("x -> ", "x", "")),
        ),
        model(
            "if, 200 deep",
            FINE,
            body(&format!("{}skip{}", "if :: ".repeat(200), " fi".repeat(200))),
        ),
        model(
            "do, 200 deep",
            FINE,
            body(&format!("{}break{}", "do :: x++ -> ".repeat(200), " od".repeat(200))),
        ),
        model(
            "unless, 200 deep",
            FINE,
            body(&format!("{}x++{}", "{ ".repeat(200), " } unless { x == 1 }".repeat(200))),
        ),
    ]);
}

/// Inlines that each call the one before twice.
fn inlines(levels: usize) -> String {
    let calls = many(levels, |i| format!("inline f{}() {{ f{i}(); f{i}() }}\n", i + 1));
    format!("byte x; inline f0() {{ x++ }}\n{calls}init {{ f{levels}() }}\n")
}

/// Types that each hold an array of the one before.
fn tower(levels: usize, size: usize) -> String {
    let types = many(levels, |i| format!("typedef T{} {{ T{i} a[{size}] }}\n", i + 1));
    format!("typedef T0 {{ byte a }}\n{types}T{levels} t; init {{ skip }}\n")
}

/// The analyses of `lint` look at pairs and chains of things: many of each.
#[test]
fn lints() {
    const DONE: &[i32] = &[0, 1];
    let pairs = many(60, |i| format!("typedef T{} {{ T{i} a; T{i} b }}\n", i + 1))
        .replace("T0 ", "byte ")
        + "T60 t; init { t.a.a.b = t.a.a.b }";
    let channels = many(300, |i| format!("chan c{i} = [1] of {{ chan, byte }};\n"));
    let ring = many(300, |i| format!("c{i}!c{},{i}; ", (i * 7 + 1) % 300));
    let wrong = many(3_000, |i| format!("c{}!{i};\n", i % 300));
    let atomics = many(2_000, |i| {
        format!("if :: x == {i} -> goto L{i} :: else fi; atomic {{ x++; L{i}: x > 3; x = x }};\n")
    });
    check(vec![
        model("lint: a tower of pairs", ANY, pairs).lint(),
        model("lint: an inline bomb", DONE, inlines(14)).lint(),
        model("lint: 100,000 labels", DONE, body(&many(100_000, |i| format!("l{i}: x++;\n"))))
            .lint(),
        model("lint: a ring of channels", DONE, format!("{channels}init {{ {ring} }}")).lint(),
        model("lint: wrong messages", DONE, format!("{channels}init {{ {wrong} }}")).lint(),
        model("lint: many atomics", DONE, body(&atomics)).lint(),
        model(
            "lint: sends and receives",
            DONE,
            format!(
                "chan q = [1] of {{ int }};\ninit {{ {} }}\nactive proctype P() {{ {} }}",
                many(4_000, |i| format!("q!{i}; ")),
                many(4_000, |i| format!("q?{}; ", i + 9_000))
            ),
        )
        .lint(),
        model(
            "lint: nested choices",
            DONE,
            body(&format!("{}x++{}", "if :: x++ :: x++; ".repeat(200), " fi".repeat(200))),
        )
        .lint(),
        model("lint: no model", BAD, "proctype").lint(),
    ]);
}

#[test]
fn sizes() {
    let init = |text: &str| format!("{text}\ninit {{ skip }}\n");
    check(vec![
        model("an inline bomb", ANY, inlines(30)),
        model("an inline bomb of 12 levels", FINE, inlines(12)),
        model("an inline bomb of 16 levels", ANY, inlines(16)),
        model("an array of 2^31 - 1", LARGE, init("byte a[2147483647];")),
        model("an array of 2^31", BAD, init("byte a[2147483648];")),
        model("an array of 2^32 + 1", ANY, init("byte a[4294967297];")),
        model("an array of 0", BAD, init("byte a[0];")),
        model("an array of -1", BAD, init("byte a[-1];")),
        model("an array of a product", ANY, init("int a[65536 * 65536];")),
        model("an array of a quotient by zero", BAD, init("int a[1 / 0];")),
        model("the least number as a bound", BAD, init("int a[(-2147483647 - 1) / -1];")),
        model("ints of 2^31 - 1", LARGE, init("int a[2147483647];")),
        model("an array of a million", FINE, init("byte a[1000000];")),
        model(
            "a hundred arrays of a million",
            ANY,
            init(&many(100, |i| format!("byte a{i}[1000000];\n"))),
        ),
        model("an initialised array of a million", ANY, init("byte a[1000000] = 1;")),
        model("a local array of a million", ANY, body("byte b[1000000]; b[x] = 1")),
        model(
            "a local array in 255 processes",
            ANY,
            "active [255] proctype P() { int b[100000]; b[1] = 1 }",
        ),
        model(
            "255 processes 300 times",
            ANY,
            many(300, |i| format!("active [255] proctype P{i}() {{ skip }}\n")),
        ),
        model("255 processes", FINE, "active [255] proctype P() { skip }"),
        model("256 processes", ANY, "active [256] proctype P() { skip }"),
        model("2^31 - 1 processes", ANY, "active [2147483647] proctype P() { skip }"),
        model("-1 processes", ANY, "active [-1] proctype P() { skip }"),
        model(
            "300 processes by run",
            FINE,
            "proctype P() { 0 } init { byte i; do :: i < 300 -> run P(); i++ od }",
        ),
        model(
            "processes that make processes",
            FINE,
            "proctype P() { run P(); run P() } init { run P() }",
        ),
        model("a capacity of 65535", FINE, init("chan q = [65535] of { byte };")),
        model("a capacity of 2^31 - 1", ANY, init("chan q = [2147483647] of { int, int };")),
        model("a capacity of -1", BAD, init("chan q = [-1] of { byte };")),
        model("a channel array of 2^31 - 1", ANY, init("chan q[2147483647] = [1] of { byte };")),
        model("a channel array of a million", ANY, init("chan q[1000000] = [1] of { byte };")),
        model(
            "a channel of 10,000 fields",
            ANY,
            init(&format!("chan q = [1] of {{ {}byte }};", "byte, ".repeat(10_000))),
        ),
        model(
            "a message of 10,000 fields",
            ANY,
            format!(
                "chan q = [1] of {{ {0}byte }}; init {{ q!{1}1; q?{1}1 }}",
                "byte, ".repeat(9_999),
                "1, ".repeat(9_999)
            ),
        ),
        model(
            "300 channels",
            FINE,
            init(&many(300, |i| format!("chan q{i} = [1] of {{ byte }};\n"))),
        ),
        model(
            "300 local channels",
            FINE,
            format!(
                "init {{ {} skip }}",
                many(300, |i| format!("chan q{i} = [1] of {{ byte }};\n"))
            ),
        ),
        model(
            "70,000 channels",
            ANY,
            init(&many(70_000, |i| format!("chan q{i} = [1] of {{ byte }};\n"))),
        ),
        model(
            "70,000 kinds of channels",
            ANY,
            init(&many(70_000, |i| format!("chan q{i} = [{i}] of {{ byte }};\n"))),
        ),
        model(
            "300 mtypes",
            BAD,
            init(&format!("mtype = {{ {} }};", many(300, |i| format!("m{i} ")))),
        ),
        model(
            "300 kinds of mtypes",
            ANY,
            init(&many(300, |i| format!("mtype:k{i} = {{ m{i} }};\n"))),
        ),
        model(
            "70,000 kinds of mtypes",
            ANY,
            init(&many(70_000, |i| format!("mtype:k{i} = {{ m{i} }};\n"))),
        ),
        model("a type of itself", BAD, init("typedef T { T t }; T t;")),
        model("types of each other", BAD, init("typedef T { U u }; typedef U { T t }; T t;")),
        model("a tower of types", LARGE, tower(10, 100)),
        model("a high tower of types", ANY, tower(1000, 1)),
        model("a very high tower of types", ANY, tower(DEEP, 1)),
        model(
            "a tower of pairs",
            ANY,
            many(60, |i| format!("typedef T{} {{ T{i} a; T{i} b }}\n", i + 1))
                .replace("T0 ", "byte ")
                + "T60 t; init { skip }",
        ),
        model(
            "a type with a tower as message",
            ANY,
            tower(3, 100).replace("T3 t;", "chan q = [1] of { T3 };"),
        ),
        model("100,000 labels", ANY, body(&many(DEEP, |i| format!("L{i}: x++;\n")))),
        model("the same label 50,000 times", ANY, body(&"L: x++;\n".repeat(50_000))),
        model(
            "60,000 gotos",
            ANY,
            body(&format!("{} L: skip", "if :: goto L :: x++ fi;\n".repeat(20_000))),
        ),
        model(
            "a chain of gotos",
            ANY,
            body(&format!(
                "goto L0; {} L50000: skip",
                many(50_000, |i| format!("L{i}: goto L{};\n", i + 1))
            )),
        ),
        model("5,000 proctypes", ANY, many(5_000, |i| format!("proctype P{i}() {{ skip }}\n"))),
        model(
            "70,000 active proctypes",
            ANY,
            many(70_000, |i| format!("active proctype P{i}() {{ skip }}\n")),
        ),
        model(
            "50,000 ltl blocks",
            ANY,
            SMALL.to_owned() + &many(50_000, |i| format!("ltl p{i} {{ [] (x < 3) }}\n")),
        )
        .long_answer(),
        model(
            "the same ltl block 50,000 times",
            ANY,
            SMALL.to_owned() + &"ltl p { [] (x < 3) }\n".repeat(50_000),
        ),
        model(
            "10,000 never claims",
            ANY,
            SMALL.to_owned() + &"never { do :: x < 3 od }\n".repeat(10_000),
        )
        .long_answer(),
        model(
            "50,000 options",
            ANY,
            body(&format!("if {} fi", ":: x == 1 -> x = 2\n".repeat(50_000))),
        ),
        model(
            "10,000 nested choices of one",
            ANY,
            body(&"if :: x == 1 :: else fi;\n".repeat(10_000)),
        ),
        model("a loop over 2^31 - 1", FINE, "int i; init { for (i : 0 .. 2147483647) { skip } }"),
        model(
            "a d_step over 2^31 - 1",
            FINE,
            "int i; init { d_step { for (i : 0 .. 2147483646) { skip } } }",
        ),
        model(
            "an atomic over 2^31 - 1",
            FINE,
            "int i; init { atomic { for (i : 0 .. 2147483646) { skip } } }",
        ),
        model("an endless atomic", FINE, "bool b; init { atomic { do :: b = !b od } }"),
        model("an endless d_step", FINE, "bool b; init { d_step { do :: b = !b od } }"),
        model(
            "an endless d_step in many states",
            FINE,
            "byte x, y; active [2] proctype P() { do :: x++ :: y++ :: d_step { do :: x = x od } od }",
        ),
        model("select of everything", ANY, "int i; init { select (i : 0 .. 2147483647) }"),
        model(
            "a long atomic over large states",
            FINE,
            "byte a[1000000]; int i; init { atomic { do :: i++ od } }",
        ),
        model(
            "many processes over a large state",
            FINE,
            "byte a[1000000]; active [250] proctype P() { a[_pid]++; a[_pid]++ }",
        ),
        model(
            "large processes that multiply",
            FINE,
            "proctype P() { int b[100000]; do :: b[0]++ od } init { do :: run P() od }",
        ),
        model("select from a cut number", ANY, "int i; init { select (i : 2147483648 .. 1) }"),
        model("select backwards", ANY, "int i; init { select (i : 2147483647 .. 0) }"),
        model(
            "huge numbers",
            ANY,
            body("x = 99999999999999999999; x = -2147483648; x = 2147483648"),
        ),
        model(
            "arithmetic at the edge",
            FINE,
            "int i = -2147483648; init { i = i / -1; i = i % -1; i = -i; i = i - 1; i = i * i; i = 1 << 99; i = 1 >> -5 }",
        ),
        model("a wide unsigned", ANY, init("unsigned u : 99999;")),
        model("an unsigned of no width", ANY, init("unsigned u : 0;")),
        model("a priority of 2^31 - 1", ANY, "active proctype P() priority 2147483647 { skip }"),
        model(
            "100,000 run arguments",
            ANY,
            format!("proctype P(byte a) {{ skip }} init {{ run P({}1) }}", "1, ".repeat(DEEP)),
        ),
        model(
            "10,000 parameters",
            ANY,
            format!(
                "proctype P({}byte z) {{ skip }} init {{ run P({}1) }}",
                many(10_000, |i| format!("byte a{i}; ")),
                "1, ".repeat(10_000)
            ),
        ),
        model(
            "100,000 printf arguments",
            ANY,
            body(&format!("printf(\"{}\"{})", "%d".repeat(DEEP), ", x".repeat(DEEP))),
        ),
        model("too few printf arguments", ANY, body("printf(\"%d %s %n %e %\", x)")),
        model(
            "a long initialiser",
            ANY,
            init(&format!("byte a[3] = {{ {} 1 }};", "1, ".repeat(DEEP))),
        ),
    ]);
}

#[test]
fn files_and_arguments() {
    let long = "x + ".repeat(30_000) + "1";
    let parens = format!("{}x{}", "(".repeat(40_000), ")".repeat(40_000));
    let small = |name: &str, exits, args: &[&str]| model(name, exits, SMALL).args(args);
    check(vec![
        small("no such file", BAD, &["none.pml"]).says("none.pml"),
        small("a name with a line end", BAD, &["a\nb\u{1b}[31m.pml"]),
        small("a name that is too long", BAD, &[&format!("{}.pml", "x".repeat(100_000))]),
        small("a define of nothing", BAD, &["-D", ""]),
        small("a define of a value", BAD, &["-D", "=1"]),
        small("a define of a number", BAD, &["-D", "1x=2"]),
        small("a define with a line end", ANY, &["-D", "A=1\n#include \"m.pml\""]),
        small("a define with a comment", ANY, &["-D", "x=/*"]),
        small("a define of itself", FINE, &["-D", "x=x"]),
        small("a define of a bomb", ANY, &["-D", "x=x x x x", "-D", "P=x x"]),
        small("a define of a call without an end", ANY, &["-D", "f(x=1"]),
        small("a define of defined", ANY, &["-D", "defined=1"]),
        small("a define of a keyword", ANY, &["-D", "byte=proctype"]),
        small("a long define", ANY, &["-D", &format!("x={}", "1".repeat(100_000))]),
        small("an undefine of a number", BAD, &["-U", "1"]),
        small("an empty invariant", BAD, &["--invariant", ""]),
        small("an invariant of space", BAD, &["--invariant", " \n\t"]),
        small("an unfinished invariant", BAD, &["--invariant", "x =="]),
        small("an invariant with more behind it", BAD, &["--invariant", "x == 1 } init { skip"]),
        small("an invariant with a comment", ANY, &["--invariant", "x /*"]),
        small("an invariant of an unknown name", BAD, &["--invariant", "y"]).says("y"),
        small("an invariant with a side effect", BAD, &["--invariant", "run P()"]),
        small("an invariant that assigns", BAD, &["--invariant", "x = 1"]),
        small("a temporal invariant", BAD, &["--invariant", "[] (x == 1)"]),
        small("an invariant with timeout", ANY, &["--invariant", "!timeout"]),
        small("an invariant with else", BAD, &["--invariant", "else"]),
        small("an invariant that divides by zero", FINE, &["--invariant", "1 / x == 1"]),
        small("an invariant over _pid", ANY, &["--invariant", "_pid == 0"]),
        small("an invariant over _last", ANY, &["--invariant", "_last == 0"]),
        small("an invariant over np_", ANY, &["--invariant", "np_"]),
        small("an invariant with C", ANY, &["--invariant", "c_expr { 1 }"]),
        small("an invariant over a process", ANY, &["--invariant", "P[7]:x == 0 || true"]),
        small("an invariant with enabled", ANY, &["--invariant", "enabled(0)"]),
        small("a huge number as an invariant", ANY, &["--invariant", "99999999999999999999999"]),
        small("a long invariant", ANY, &["--invariant", &long]),
        small("a deep invariant", BAD, &["--invariant", &parens]),
        small("an invariant of bytes", BAD, &["--invariant", "\u{1}\u{7f}é\u{202e}"]),
        small("1,000 invariants", FINE, &["--invariant", "x < 2"].repeat(1_000)),
        small("an unknown property", BAD, &["--only", "none"]).says("none"),
        small("an empty property", BAD, &["--only", ""]),
        small("a time of nothing", BAD, &["--time", "x"]),
        small("a huge size", BAD, &["--mem", "99999999999999999999GiB"]),
        small("a file that cannot be written", BAD, &["-o", "json=/nonexistent/x.json"]),
        small("no columns", FINE, &["--columns", "0"]),
        small("many columns", FINE, &["--columns", "100000000"]),
    ]);
}

#[test]
fn a_file_without_permission() {
    use std::os::unix::fs::PermissionsExt;
    let folder = Folder::new();
    let path = folder.0.join("m.pml");
    std::fs::write(&path, SMALL).unwrap();
    std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o000)).unwrap();
    // The superuser may read everything.
    let exits = if std::fs::read(&path).is_ok() { FINE } else { BAD };
    model("without permission", exits, "").run_in(&folder.0).unwrap();
    std::fs::create_dir(folder.0.join("folder.pml")).unwrap();
    let case = model("a directory", BAD, "").args(&["folder.pml"]).says("folder.pml");
    case.run_in(&folder.0).unwrap();
}
