//! Mutated models through everything that reads, translates, searches and replays.
//!
//! A case is a number: the seed models, changed at random from that number. [`fuzz`] runs cases for
//! some time and keeps what is wrong: a panic, a case that takes long, an error without a place,
//! evidence that does not replay. Whether the answer is right is not asked here.

use std::any::Any;
use std::cell::RefCell;
use std::collections::BTreeMap;
use std::fmt;
use std::io;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use everypath_engine_explicit::{AfterViolation, Limits, Options, Order, search};
use everypath_lang_promela::{LowerOptions, lower, parse, parse_expression};
use everypath_machine::Interpreter;
use everypath_model::Rng;
use everypath_model::{Describe, Diagnostic, Severity, Sources, Successors, TransitionSystem};
use everypath_preprocess::Loader;
use everypath_testkit::{generate, models, shrink};

/// A case that takes longer is noted.
pub const SLOW: Duration = Duration::from_secs(2);
/// A case that takes longer is a finding.
pub const TOO_SLOW: Duration = Duration::from_secs(5);
/// A case that takes longer is given up.
const HANGS: Duration = Duration::from_secs(60);
/// States of a search.
const STATES: u64 = 2_000;
/// Time of a search.
const SEARCH: Duration = Duration::from_millis(500);
/// Bytes of a search.
const MEMORY: u64 = 64 << 20;
/// Trees may be deep: the stack of the command.
const STACK: usize = 256 << 20;

/// How long, how wide, from where.
#[derive(Clone, Copy, Debug)]
pub struct Plan {
    /// The number of the first case.
    pub first: u64,
    /// When to stop.
    pub time: Duration,
    /// Cases at the same time.
    pub threads: u64,
}

/// What is wrong with a case.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Trouble {
    /// A panic: message and place.
    Panic(String),
    /// It took this long.
    Slow(Duration),
    /// It did not end.
    Hangs,
    /// An error that names no place, or one outside of the text.
    Placeless(String),
    /// A run that does not replay, or a path that is not found.
    Evidence(String),
}

impl Trouble {
    /// Troubles with the same key probably have the same cause.
    fn key(&self) -> String {
        match self {
            Trouble::Panic(text) | Trouble::Placeless(text) | Trouble::Evidence(text) => {
                text.chars().filter(|c| !c.is_ascii_digit()).take(120).collect()
            }
            Trouble::Slow(_) => "slow".to_owned(),
            Trouble::Hangs => "hangs".to_owned(),
        }
    }
}

impl fmt::Display for Trouble {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Trouble::Panic(text) => write!(f, "panic: {text}"),
            Trouble::Slow(time) => write!(f, "it took {time:.1?}"),
            Trouble::Hangs => write!(f, "no answer within {HANGS:?}"),
            Trouble::Placeless(text) => write!(f, "an error without a place: {text}"),
            Trouble::Evidence(text) => write!(f, "evidence: {text}"),
        }
    }
}

/// A case that went wrong.
#[derive(Clone, Debug)]
pub struct Finding {
    /// Its number.
    pub case: u64,
    /// What is wrong.
    pub trouble: Trouble,
    /// How many cases had the same trouble.
    pub times: u64,
    /// A small text that has it.
    pub text: String,
}

/// How far a case came.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stage {
    /// Errors in the text.
    Refused,
    /// Something in it cannot be searched.
    Unsupported,
    /// It was searched.
    Searched,
}

/// What a run of the fuzzer found.
#[derive(Clone, Debug, Default)]
pub struct Report {
    /// Cases.
    pub cases: u64,
    /// Cases that were searched.
    pub searched: u64,
    /// Cases that were refused for something unsupported.
    pub unsupported: u64,
    /// Cases over [`SLOW`].
    pub slow: u64,
    /// What went wrong, one of each kind.
    pub findings: Vec<Finding>,
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "{} cases: {} searched, {} unsupported, {} refused; {} over {SLOW:?}, {} findings",
            self.cases,
            self.searched,
            self.unsupported,
            self.cases - self.searched - self.unsupported,
            self.slow,
            self.findings.len()
        )?;
        for finding in &self.findings {
            let Finding { case, trouble, times, text } = finding;
            let short: String = text.chars().take(1500).collect();
            write!(f, "\n--- case {case} ({times} times): {trouble}\n{short}")?;
        }
        Ok(())
    }
}

/// Includes nothing: a mutated path must not reach the disk.
struct Nothing;

impl Loader for Nothing {
    fn load(&self, _: &Path) -> io::Result<Vec<u8>> {
        Err(io::Error::from(io::ErrorKind::NotFound))
    }
}

thread_local! {
    static PANIC: RefCell<String> = const { RefCell::new(String::new()) };
}

/// Keeps the message of a panic for [`attempt`] instead of printing it.
fn keep_panics() {
    std::panic::set_hook(Box::new(|info| {
        let payload: &dyn Any = info.payload();
        let message = payload
            .downcast_ref::<&str>()
            .map(|s| (*s).to_owned())
            .or_else(|| payload.downcast_ref::<String>().cloned())
            .unwrap_or_default();
        let place = info.location().map(|at| format!(" ({}:{})", at.file(), at.line()));
        PANIC.with(|kept| *kept.borrow_mut() = message + &place.unwrap_or_default());
    }));
}

/// Runs a text; how far it came, or what is wrong.
pub fn attempt(text: &str) -> Result<Stage, Trouble> {
    let start = Instant::now();
    let result = catch_unwind(AssertUnwindSafe(|| pipeline(text)));
    let time = start.elapsed();
    match result {
        Err(_) => Err(Trouble::Panic(PANIC.with(RefCell::take))),
        Ok(Ok(_)) if time > TOO_SLOW => Err(Trouble::Slow(time)),
        Ok(result) => result,
    }
}

fn pipeline(text: &str) -> Result<Stage, Trouble> {
    let mut sources = Sources::default();
    let main = sources.add(PathBuf::from("m.pml"), text.to_owned());
    let parsed = parse(&mut sources, main, &Default::default(), &Nothing);
    places(&sources, &parsed.diagnostics)?;
    let Some(model) = parsed.model else {
        return match parsed.diagnostics.iter().any(Diagnostic::is_error) {
            true => Ok(Stage::Refused),
            false => Err(Trouble::Placeless("refused without an error".to_owned())),
        };
    };
    let mut invariants = Vec::new();
    // The first name of the model makes an expression now and then.
    if let Some(var) = model.globals.first().map(|&id| &model.vars[id.index()]) {
        let text = format!("{} >= 0", var.name);
        let file = sources.add(PathBuf::from("invariant"), text.clone());
        match parse_expression(&text, file, &model) {
            Ok(expression) => invariants.push(expression),
            Err(diagnostics) => places(&sources, &diagnostics)?,
        }
    }
    let lowered = lower(&model, &LowerOptions { invariants, ..LowerOptions::default() });
    places(&sources, &lowered.diagnostics)?;
    let Some(machine) = lowered.machine else { return Ok(Stage::Unsupported) };
    explore(&Interpreter::new(Arc::new(machine)), text.len())?;
    Ok(Stage::Searched)
}

/// Every error has a place, and every place lies in its text.
fn places(sources: &Sources, diagnostics: &[Diagnostic]) -> Result<(), Trouble> {
    for diagnostic in diagnostics {
        let wrong = |what: &str| {
            let Diagnostic { code, message, .. } = diagnostic;
            Err(Trouble::Placeless(format!("{what}: {code} {message}")))
        };
        // A model without a process lacks something that has no place.
        let placeless = diagnostic.code == "EP1322";
        let bad = diagnostic.severity >= Severity::Unsupported;
        if diagnostic.primary.is_none() && bad && !placeless {
            return wrong("nowhere");
        }
        let all = diagnostic.primary.iter().chain(&diagnostic.secondary);
        for span in all.map(|label| label.span) {
            let Some((_, file)) = sources.iter().nth(span.file.0 as usize) else {
                return wrong("in no file");
            };
            if file.text.get(span.start as usize..span.end as usize).is_none() {
                return wrong("outside of the text");
            }
            let _ = (sources.start(span), sources.end(span));
        }
    }
    Ok(())
}

fn explore(system: &Interpreter, size: usize) -> Result<(), Trouble> {
    let start = Instant::now();
    // States of hundreds of processes take their time; the search may end early.
    let expired = || start.elapsed() > SEARCH;
    let options = Options {
        order: if size.is_multiple_of(2) { Order::Breadth } else { Order::Depth },
        limits: Limits { states: Some(STATES), memory: Some(MEMORY), ..Limits::default() },
        check_deadlock: true,
        check_invariants: true,
        after_violation: AfterViolation::Continue,
        expired: Some(&expired),
        max_violations: 8,
        max_switch_pairs: 100_000,
        poll_every: 1,
        ..Options::default()
    };
    let outcome = search(system, &options, &mut ());
    let mut broken = Vec::new();
    super::replay_all(system, &outcome, &options, &mut broken);
    if let Some(broken) = broken.into_iter().next() {
        return Err(Trouble::Evidence(broken));
    }
    let mut worker = system.worker();
    let mut initial = Successors::default();
    if system.initial(&mut worker, &mut initial).is_ok() {
        for violation in &outcome.violations {
            if let Ok(path) = outcome.path(system, violation) {
                let _ = (system.values(&path.last), system.processes(&path.last));
                let _ = system.blocked(&path.last);
            }
        }
    }
    Ok(())
}

/// The texts that cases are made of.
#[derive(Debug)]
pub struct Seeds {
    texts: Vec<String>,
    /// Words, numbers and signs of all texts.
    pieces: Vec<String>,
}

impl Seeds {
    /// The examples, the annotated models and some generated ones.
    pub fn load() -> Seeds {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
        let mut texts: Vec<String> = Vec::new();
        for dir in [root.join("examples/promela"), models::promela_dir()] {
            let mut files: Vec<PathBuf> = std::fs::read_dir(&dir)
                .unwrap_or_else(|e| panic!("{}: {e}", dir.display()))
                .map(|entry| entry.expect("readable").path())
                .filter(|path| path.extension().is_some_and(|e| e == "pml"))
                .collect();
            files.sort();
            texts.extend(files.iter().filter_map(|path| std::fs::read_to_string(path).ok()));
        }
        texts.extend((0..60).map(|seed| generate::model(seed).text));
        texts.extend(RARE.iter().map(|&text| text.to_owned()));
        let mut pieces: Vec<String> =
            texts.iter().flat_map(|text| split(text)).map(str::to_owned).collect();
        pieces.sort_unstable();
        pieces.dedup();
        Seeds { texts, pieces }
    }

    /// The text of a case.
    pub fn case(&self, number: u64) -> String {
        let mut rng = Rng::new(number);
        let mut text = rng.pick(&self.texts).clone();
        if rng.chance(30) {
            text = generate::model(number).text;
        }
        let most = *rng.pick(&[1, 1, 2, 2, 4, 20]);
        let count = 1 + rng.below(most);
        for _ in 0..count {
            text = self.mutate(&mut rng, text);
            text.truncate(border(&text, 200_000));
        }
        text
    }

    fn mutate(&self, rng: &mut Rng, text: String) -> String {
        match rng.below(10) {
            0 => flip(rng, text),
            1 => self.splice(rng, &text),
            2 => nest(rng, &text),
            _ => self.tokens(rng, &text),
        }
    }

    /// Lines of another text, in the place of some lines of this one.
    fn splice(&self, rng: &mut Rng, text: &str) -> String {
        let other = rng.pick(&self.texts);
        let (mut lines, others): (Vec<&str>, Vec<&str>) =
            (text.lines().collect(), other.lines().collect());
        if lines.is_empty() || others.is_empty() {
            return other.clone();
        }
        let from = rng.below(others.len());
        let new = &others[from..(from + 1 + rng.below(8)).min(others.len())];
        let at = rng.below(lines.len());
        let end = (at + rng.below(4)).min(lines.len());
        lines.splice(at..end, new.iter().copied());
        lines.join("\n")
    }

    /// A change of one word, number or sign, or of a few in a row.
    fn tokens(&self, rng: &mut Rng, text: &str) -> String {
        let mut pieces = split(text);
        if pieces.is_empty() {
            return rng.pick(&self.texts).clone();
        }
        let at = rng.below(pieces.len());
        let end = (at + 1 + rng.below(6)).min(pieces.len());
        let to = rng.below(pieces.len());
        match rng.below(7) {
            0 => drop(pieces.drain(at..end)),
            1 => {
                let copy = pieces[at..end].to_vec();
                pieces.splice(to..to, copy);
            }
            2 => pieces.swap(at, to),
            3 => pieces.insert(at, rng.pick::<String>(&self.pieces)),
            4 => {
                // Another word of the same text, or any.
                let words: Vec<usize> = (0..pieces.len())
                    .filter(|&i| pieces[i].starts_with(|c: char| c.is_ascii_alphabetic()))
                    .collect();
                if words.is_empty() || rng.chance(20) {
                    pieces[at] = rng.pick::<String>(&self.pieces);
                } else {
                    pieces[*rng.pick(&words)] = pieces[*rng.pick(&words)];
                }
            }
            5 => {
                pieces.insert(at, " ");
                pieces.insert(at, rng.pick::<&str>(WORDS));
            }
            _ => {
                let is_number = |p: &&str| p.starts_with(|c: char| c.is_ascii_digit());
                let numbers: Vec<usize> =
                    (0..pieces.len()).filter(|&i| is_number(&pieces[i])).collect();
                match numbers.is_empty() {
                    true => pieces[at] = rng.pick::<&str>(NUMBERS),
                    false => pieces[*rng.pick(&numbers)] = rng.pick::<&str>(NUMBERS),
                }
            }
        }
        pieces.concat()
    }
}

/// Some bytes changed.
fn flip(rng: &mut Rng, text: String) -> String {
    let mut bytes = text.into_bytes();
    for _ in 0..=rng.below(3) {
        if !bytes.is_empty() {
            let at = rng.below(bytes.len());
            bytes[at] = match rng.below(3) {
                0 => bytes[at] ^ (1 << rng.below(8)),
                1 => rng.below(256) as u8,
                _ => *rng.pick(b"{}()[]!?;:-+*/%<>=&|~@.,\"'\\#\n \0"),
            };
        }
    }
    String::from_utf8_lossy(&bytes).into_owned()
}

/// A line put into brackets, perhaps many.
fn nest(rng: &mut Rng, text: &str) -> String {
    let (open, close) = *rng.pick(NESTS);
    let depth = if rng.chance(10) { 1 + rng.below(300) } else { 1 + rng.below(3) };
    let mut lines: Vec<String> = text.lines().map(str::to_owned).collect();
    if lines.is_empty() {
        return text.to_owned();
    }
    let at = rng.below(lines.len());
    let inner = lines[at].trim_end_matches(';').to_owned();
    lines[at] = format!("{}{inner}{}", open.repeat(depth), close.repeat(depth));
    lines.join("\n")
}

/// The last border between characters at or before `at`.
fn border(text: &str, at: usize) -> usize {
    (0..=at.min(text.len())).rev().find(|&i| text.is_char_boundary(i)).unwrap_or(0)
}

/// A text as words, numbers, runs of blanks and signs.
fn split(text: &str) -> Vec<&str> {
    let word = |c: char| c.is_ascii_alphanumeric() || c == '_';
    let blank = |c: char| c == ' ' || c == '\t';
    let mut pieces = Vec::new();
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        let length = if word(first) {
            rest.find(|c| !word(c)).unwrap_or(rest.len())
        } else if blank(first) {
            rest.find(|c| !blank(c)).unwrap_or(rest.len())
        } else {
            first.len_utf8()
        };
        let (piece, after) = rest.split_at(length);
        pieces.push(piece);
        rest = after;
    }
    pieces
}

const NUMBERS: &[&str] = &[
    "0",
    "1",
    "2",
    "3",
    "7",
    "8",
    "15",
    "16",
    "17",
    "31",
    "32",
    "33",
    "127",
    "128",
    "254",
    "255",
    "256",
    "257",
    "1000",
    "32767",
    "32768",
    "65535",
    "65536",
    "1000000",
    "2147483647",
    "2147483648",
    "4294967295",
    "4294967296",
    "99999999999999999999",
    "-1",
    "-2",
    "-128",
    "-32768",
    "-2147483648",
    "(-2147483647 - 1)",
    "1 / 0",
    "0 - 1",
    "00",
    "010",
    "0x10",
];

const NESTS: &[(&str, &str)] = &[
    ("(", ")"),
    ("{ ", " }"),
    ("if :: ", " fi"),
    ("do :: ", " od"),
    ("if :: ", " :: else fi"),
    ("do :: ", " :: break od"),
    ("atomic { ", " }"),
    ("d_step { ", " }"),
    ("{ ", " } unless { x }"),
    ("{ skip } unless { ", " }"),
    ("for (x : 1 .. 3) { ", " }"),
    ("!(", ")"),
    ("(1 -> 2 : ", ")"),
    ("a[", "]"),
    ("#if 1\n", "\n#endif\n"),
    ("#define M ", ""),
    ("inline f() { ", " }\nf()"),
    ("active proctype Z() { ", " }"),
    ("ltl z { ", " }"),
    ("never { ", " }"),
    ("trace { ", " }"),
    ("typedef Z { ", " }"),
    ("L: ", ""),
    ("end: ", ""),
    ("c_code { ", " }"),
    ("c_expr { ", " }"),
    ("/*", "*/"),
    ("\"", "\""),
];

const WORDS: &[&str] = &[
    "active",
    "assert",
    "atomic",
    "bit",
    "bool",
    "break",
    "byte",
    "c_code",
    "c_decl",
    "c_expr",
    "c_state",
    "c_track",
    "D_proctype",
    "do",
    "chan",
    "else",
    "empty",
    "enabled",
    "eval",
    "false",
    "fi",
    "for",
    "full",
    "get_priority",
    "goto",
    "hidden",
    "if",
    "in",
    "init",
    "inline",
    "int",
    "len",
    "local",
    "ltl",
    "mtype",
    "nempty",
    "never",
    "nfull",
    "notrace",
    "np_",
    "od",
    "of",
    "pc_value",
    "pid",
    "printf",
    "printm",
    "priority",
    "proctype",
    "provided",
    "return",
    "run",
    "d_step",
    "select",
    "set_priority",
    "short",
    "skip",
    "timeout",
    "trace",
    "true",
    "show",
    "typedef",
    "unless",
    "unsigned",
    "xr",
    "xs",
    "_",
    "_pid",
    "_last",
    "_nr_pr",
    "_priority",
    "always",
    "eventually",
    "until",
    "weakuntil",
    "release",
    "implies",
    "equivalent",
    "next",
    "[]",
    "<>",
    "U",
    "V",
    "W",
    "X",
    "::",
    "->",
    "<->",
    "!!",
    "??",
    "++",
    "--",
    "..",
    "#define",
    "#if",
    "#ifdef",
    "#else",
    "#endif",
    "#include",
    "#undef",
    "##",
    "\\\n",
    "@",
];

/// Constructs that the other seeds do not have.
const RARE: &[&str] = &[
    "mtype:a = { x1, x2 }; mtype:b = { y1 }; mtype:a v = x1;\n\
     init { v = x2; printm(v); printf(\"%e %d %c %x\\n\", v, v, v, v); assert(v == x1) }\n",
    "chan q = [3] of { byte, mtype, chan }; mtype = { m }; chan r = [0] of { bit };\n\
     trace { do :: q!1,m,_ :: q?1,_,_ od }\n\
     active proctype P() { xs q; q!!2(m, r); q!1, m, r; r!1 }\n\
     active proctype Q() { xr q; chan c; mtype k; q??eval(_pid),k,c; q?<1,k,c>; (q?[1,m,c]); c?1 }\n",
    "typedef I { byte a[2]; bit b }; typedef O { I i[2]; short s = 3; unsigned u : 5 }; O o;\n\
     init { O l; l.i[1].a[0] = 7; o.i[0].b = l.i[1].a[0]; o.u = 31; o.u++; assert(o.s == l.s) }\n",
    "byte x; hidden byte h; local byte k; show byte s;\n\
     active [2] proctype P() priority 3 provided (x < 5) { x++; h = x; _priority = 2; set_priority(0, 4);\n\
     assert(get_priority(_pid) > 1); if :: _last == 0 -> k = _nr_pr :: enabled(1 - _pid) :: timeout fi }\n",
    "byte x; active proctype P() { here: x = 1; there: x = 2 }\n\
     active proctype Q() { P[0]@there; assert(P[0]:x == 0 || x == 2 || pc_value(0) > 0) }\n\
     never { T0: do :: x == 3 -> break :: !np_ od; accept: skip }\n\
     ltl p { [] (x < 3) && <> (x == 2) U (x == 1) -> X true }\n",
    "D_proctype D(byte a; chan c) { if :: a > 0 -> c!a :: a > 1 -> c!0 fi }\n\
     init { chan c = [2] of { byte }; byte v; pid p; p = run D(2, c); c?v; select (v : 1 .. 40);\n\
     for (v : 1 .. 3) { skip } }\n",
    "typedef M { byte a; byte b }; chan q = [4] of { M }; inline twice(v, w) { v = w * 2; return v }\n\
     init { M m; byte r; int a[3] = { 1, 2, 3 }; int i; q!m; m.a = 1; q!m; for (m in q) { r = r + m.a }\n\
     for (i in a) { a[i] = -a[i] } r = twice(r, 3 + 1) }\n",
    "c_decl { int n; } c_state \"int m\" \"Global\" c_track \"&n\" \"sizeof(int)\"\n\
     init { c_code { n = 1; }; c_expr { n > 0 } -> c_code [n > 0] { n--; } }\n",
    "byte x; init { d_step { if :: x == 1 -> x = 2 :: else -> x = 3 fi; do :: x > 0 -> x-- :: else -> break od };\n\
     atomic { x = 1; run P(); x = 2 }; goto L; { x = 4 } unless { x == 2 }; L: (x -> 1 : 2) }\n\
     proctype P() { end: do :: atomic { x == 1 -> x = 0 } :: timeout -> break od }\n",
    "#define N 3\n#define f(a, b) a ## b + #a[0] + __LINE__\n#ifdef N\n#if N > 2 && defined(N)\nbyte a[N];\n\
     #elif 0\n#else\n#endif\n#endif\n#undef N\ninit { a[2] = f(1, 2) }\n",
];

/// What the threads share.
struct Shared {
    seeds: Seeds,
    next: AtomicU64,
    stop: AtomicBool,
    report: Mutex<(Report, BTreeMap<String, Finding>)>,
    /// What each thread runs, and since when.
    running: Vec<Mutex<Option<(u64, Instant)>>>,
}

/// Where the texts of findings are kept.
pub fn failures() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../target/fuzz-failures")
}

/// Runs cases until the time is over.
///
/// The number of the case that a thread runs stands in a file in [`failures`] meanwhile, for the
/// case that the whole process comes to an end.
pub fn fuzz(plan: Plan) -> Report {
    keep_panics();
    let _ = std::fs::create_dir_all(failures());
    let start = Instant::now();
    let shared = Arc::new(Shared {
        seeds: Seeds::load(),
        next: AtomicU64::new(plan.first),
        stop: AtomicBool::new(false),
        report: Mutex::default(),
        running: (0..plan.threads).map(|_| Mutex::new(None)).collect(),
    });
    let threads: Vec<_> = (0..plan.threads as usize)
        .map(|index| {
            let shared = Arc::clone(&shared);
            let builder = std::thread::Builder::new().stack_size(STACK);
            builder.spawn(move || work(&shared, index)).expect("a thread")
        })
        .collect();
    // A thread that hangs is left behind: there is no way to end it.
    let mut hung = vec![false; threads.len()];
    while !threads.iter().zip(&hung).all(|(thread, &hung)| hung || thread.is_finished()) {
        std::thread::sleep(Duration::from_millis(50));
        if start.elapsed() > plan.time {
            shared.stop.store(true, Ordering::Relaxed);
        }
        for (running, hung) in shared.running.iter().zip(&mut hung) {
            let current = *running.lock().expect("no panic while held");
            if let Some((case, _)) = current.filter(|(_, since)| since.elapsed() > HANGS)
                && !*hung
            {
                *hung = true;
                note(&shared, case, Trouble::Hangs, shared.seeds.case(case));
            }
        }
    }
    let _ = std::panic::take_hook();
    let (mut report, findings) = shared.report.lock().expect("no panic while held").clone();
    report.findings = findings.into_values().collect();
    for (index, finding) in report.findings.iter().enumerate() {
        let path = failures().join(format!("case-{}-{index}.pml", finding.case));
        let _ = std::fs::write(path, &finding.text);
    }
    report
}

fn work(shared: &Shared, index: usize) {
    let mark = failures().join(format!("running-{index}"));
    while !shared.stop.load(Ordering::Relaxed) {
        let case = shared.next.fetch_add(1, Ordering::Relaxed);
        let _ = std::fs::write(&mark, case.to_string());
        let text = shared.seeds.case(case);
        *shared.running[index].lock().expect("no panic while held") = Some((case, Instant::now()));
        let start = Instant::now();
        let result = attempt(&text);
        let time = start.elapsed();
        {
            let report = &mut shared.report.lock().expect("no panic while held").0;
            report.cases += 1;
            report.searched += u64::from(result == Ok(Stage::Searched));
            report.unsupported += u64::from(result == Ok(Stage::Unsupported));
            report.slow += u64::from(time > SLOW);
        }
        if let Err(trouble) = result {
            note(shared, case, trouble, text);
        }
        *shared.running[index].lock().expect("no panic while held") = None;
    }
    let _ = std::fs::remove_file(&mark);
}

/// Keeps a finding, made small if it is the first of its kind.
fn note(shared: &Shared, case: u64, trouble: Trouble, text: String) {
    let key = trouble.key();
    let finding = Finding { case, trouble: trouble.clone(), times: 1, text: text.clone() };
    {
        let findings = &mut shared.report.lock().expect("no panic while held").1;
        if let Some(known) = findings.get_mut(&key) {
            known.times += 1;
            return;
        }
        findings.insert(key.clone(), finding);
    }
    if matches!(trouble, Trouble::Panic(_) | Trouble::Placeless(_) | Trouble::Evidence(_)) {
        let small = shrink::shrink(&text, 400, |text| {
            attempt(text).is_err_and(|trouble| trouble.key() == key)
        });
        let findings = &mut shared.report.lock().expect("no panic while held").1;
        if let Some(known) = findings.get_mut(&key) {
            known.text = small;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_case_is_its_number() {
        let seeds = Seeds::load();
        for case in 0..50 {
            assert_eq!(seeds.case(case), seeds.case(case));
        }
        assert_ne!(seeds.case(1), seeds.case(2));
    }

    #[test]
    fn rare_constructs_are_read() {
        for text in RARE {
            assert!(attempt(text).is_ok(), "{text}: {:?}", attempt(text));
        }
    }
}
