//! What each code means.

use std::collections::BTreeMap;
use std::fmt::Write;

use everypath_lang_promela::lint::{self, Level};

use everypath_render::style::{Paint, Style};

/// The codes of findings and of this crate: code, title, explanation.
const OWN: &[(&str, &str, &str)] = &[
    (
        "EP0001",
        "an internal error",
        "Everypath made a mistake and noticed it: a part of it gave up, or a trace that the search \
         found could not be replayed by the reference interpreter. Nothing is claimed about the \
         model and the exit code is 101. Please report it, with the input and the command line.",
    ),
    (
        "EP0101",
        "an assertion can fail",
        "There is a run in which the condition of an assert statement is false when the statement is \
         executed. The trace is such a run: breadth-first search gives one of the shortest, and among \
         those one with as few context switches as possible. Either the condition is too strong, or \
         the steps before it must not happen in this order.",
    ),
    (
        "EP0102",
        "a deadlock",
        "There is a state in which no process can move, and at least one process has neither ended \
         nor stands at a place where it may rest. Below the trace, each process is listed with the \
         statements it waits at. If resting there is intended, give the place an end label \
         (`end: ...`); if deadlocks do not matter at all, select other properties with --only.",
    ),
    (
        "EP0103",
        "an array index is out of range",
        "A statement uses an element that the array does not have. The statement has no effect and \
         the run ends there.",
    ),
    (
        "EP0104",
        "a division by zero",
        "The right side of `/` or `%` is zero when the expression is evaluated. The run ends there.",
    ),
    (
        "EP0105",
        "too many processes",
        "A `run` would make more than 255 processes live at the same time. Often a loop starts \
         processes without end. The run ends there.",
    ),
    (
        "EP0106",
        "too many channels",
        "More than 255 channels would exist at the same time. The run ends there.",
    ),
    (
        "EP0107",
        "a variable holds no channel",
        "A message is sent to or received from a channel variable that was never given a channel.",
    ),
    (
        "EP0108",
        "a channel is gone",
        "A channel lives as long as the process that declared it. Here it is used after that process \
         has ended, through a variable that still names it. Declare the channel globally, or keep \
         its owner alive.",
    ),
    (
        "EP0109",
        "a statement blocks inside a d_step",
        "Only the first statement of a d_step may wait. A later one cannot be executed in this run. \
         Use atomic, which may be interrupted when it blocks, or make sure that the statement can \
         always be executed.",
    ),
    (
        "EP0110",
        "a D_proctype has a choice",
        "A process declared with D_proctype has two statements that can be executed in the same \
         state, although it promises to be deterministic.",
    ),
    (
        "EP0111",
        "the number of message fields does not fit",
        "A message has more or fewer fields than the channel that the variable holds in this run.",
    ),
    (
        "EP0112",
        "an operation that a rendezvous channel does not have",
        "A channel of capacity 0 stores nothing, so its contents cannot be polled, searched or sorted.",
    ),
    (
        "EP0113",
        "enabled() of the process itself",
        "A process cannot ask whether it is enabled while it decides whether it is.",
    ),
    (
        "EP0114",
        "an invariant can be false",
        "There is a reachable state in which the condition of --invariant is false. The trace leads \
         to it. A state is looked at after every step, also inside of atomic sequences only where \
         another process could see it.",
    ),
    (
        "EP0115",
        "an exception that nobody catches",
        "There is a run in which a thread of a Java program ends with an exception: it leaves the first method \
         of the thread, and there is no handler for such exceptions. The trace is such a run.",
    ),
    (
        "EP0116",
        "a data race",
        "Two threads of a Java program access the same field, static field or array element, at least one of \
         them writes, and nothing orders the two: no lock that both hold, no volatile field, no start or join \
         of a thread in between. The last two steps of the trace are the two accesses. What such a program does is not \
         what its interleavings say: a JVM may let a thread see old values, or values in another order. Make \
         the field volatile or final, guard all accesses with one lock, or use a class of \
         java.util.concurrent. Collections such as HashMap and ArrayList are not made for several threads: \
         what two calls of the program do to one of them is a race of these calls. What the library does to its own \
         caches is not told. With --only other properties are selected.",
    ),
    (
        "EP0117",
        "a partial deadlock",
        "Some threads of a Java program wait for locks of each other in a circle, which nothing can end, while \
         other threads go on. The program does not stand still, so nobody may notice. The trace leads to where \
         the circle closes; below it stands what each thread waits for. Take the locks in one order everywhere.",
    ),
    (
        "EP0118",
        "a missed signal",
        "A thread waits to be notified for ever: the notification came before it began to wait, when nobody heard it. \
         It is the reason of a deadlock that is told as well. Look at the condition and wait in one synchronized \
         block, and change the condition in one, too, before notifying.",
    ),
    (
        "EP0119",
        "no lock protects memory that threads share",
        "Several threads accessed the same memory in a run, some of them wrote, and no lock was held at all of these \
         accesses (Eraser). In this run something may have ordered them; in another one nothing may. A volatile \
         field or another means than locks may protect it, so `everypath check` has the last word.",
    ),
    (
        "EP0120",
        "locks are taken in a circle",
        "Threads of a run take locks in different orders, no common lock lets only one of them in, and they can be \
         there at the same time. Each of them may get its first lock, and wait for the next one for ever. \
         `everypath check` tells whether that happens.",
    ),
    (
        "EP0121",
        "what became of a warning",
        "With --guide races a Java program is run first, and what its runs show guides the search. A warning is \
         confirmed if the search found a run that shows it. If not, it says where that was looked for: among \
         some threads, within limits, or in every schedule, and then it was a false alarm.",
    ),
    (
        "EP0126",
        "a program goes on for ever",
        "There is a run of a Java program that never comes to its end although no thread waits: a thread goes round a \
         loop, and nobody is left who could stop it, as in `while (true) {}`; or every run goes on for ever. It is no \
         deadlock, and no property is violated by that, so it is told beside the verdict. \
         `--ltl` can ask for what must happen.",
    ),
    (
        "EP0127",
        "a program is wrong with spurious wake-ups alone",
        "Java allows that a thread in `wait`, `Condition.await` or `LockSupport.park` goes on although nobody notified, \
         signalled or unparked it, and that a weak compare-and-set fails although the value is the expected one. It \
         seldom happens, but the run shows that the program is wrong where it does, and the search without found \
         nothing there. Wait in a loop that looks at the condition again: `while (!ready) lock.wait();`, and repeat a \
         weak compare-and-set. Wake-ups are looked at with `--spurious-wakeups` only.",
    ),
    (
        "EP0201",
        "a temporal property can be violated",
        "There is a run that violates the formula: the steps of the trace, of which those of the cycle \
         are repeated for ever, or after which no process can move again. A run without fairness may \
         leave out a process for ever that could move.",
    ),
    (
        "EP0202",
        "a run can go on for ever without progress",
        "With --cycles progress every run that goes on for ever has to come to a label that begins with \
         `progress` again and again. The steps of the cycle in the trace do not.",
    ),
    (
        "EP0203",
        "a run can be at an accept label again and again",
        "With --cycles accept no run may be at a label that begins with `accept` again and again, as SPIN's \
         acceptance cycles. The cycle in the trace is.",
    ),
    (
        "EP0204",
        "a never claim can be followed",
        "A never claim describes the runs that must not be. There is one: it takes the claim to its end, or \
         past a label that begins with `accept` again and again.",
    ),
    (
        "EP0205",
        "a trace assertion can be violated",
        "A `trace` assertion says in which order messages move through the channels it names: every send \
         and every receive of them, as far as it names sends and receives, has to be its next event, and a run \
         that ends while some process is left has to complete it. A `notrace` assertion describes what must not \
         happen: no run may match it to its end. The last step of the trace is where that goes wrong.",
    ),
    (
        "EP0206",
        "a property of events can be violated",
        "The events of the run in the trace are not as the automaton or the expression wants them: either \
         nothing that could follow would make them so, or the run ends where it must not.",
    ),
    (
        "EP0301",
        "the search is incomplete",
        "The search ended before every reachable state was looked at: at a limit of time, memory, \
         states or depth, after a violation in a large model, or because it was interrupted; or a \
         lossy store (--store bitstate, --store compact) may have taken new states for known ones; or the \
         search took samples only (--search random, --search swarm). What \
         was not refuted is reported as `no violation found`, never as `holds`, and the exit code \
         is 3. Raise the limit, or say --accept bounded if a bounded search is what you want.",
    ),
    (
        "EP0302",
        "an atomic sequence can go round for ever",
        "A loop inside an atomic sequence can be repeated without end while no other process may \
         move. The search does not follow it without end, so its verdicts are no proofs.",
    ),
    (
        "EP0303",
        "a d_step goes round for ever",
        "A loop inside a d_step does not end. A d_step is one step, so there is no state after it. \
         The search goes on without it, so its verdicts are no proofs.",
    ),
    (
        "EP0304",
        "a state could not be evaluated",
        "The model reached a limit of the tool. Nothing is claimed about what lies behind it.",
    ),
    (
        "EP0305",
        "the disk failed during a search",
        "A search with --disk could not write to its files, or not read them: most often the disk is full. \
         What was found up to then is reported; the rest of the model was not looked at, so nothing `holds`. \
         --disk=DIR names a directory with more room.",
    ),
    (
        "EP0310",
        "a property is not decided",
        "The verdict is `unknown`: the engine gave up on the property, or cannot check properties of \
         its kind. The reason is given with it. Nothing is claimed about the property and the exit \
         code is 3. Select other properties with --only if this one does not matter.",
    ),
    (
        "EP0311",
        "an expectation is not met",
        "A violation was expected (--expect violated), and a complete search found none. Either the \
         model was mended and the expectation is out of date, or the model does not show any more \
         what it is to show. The exit code is 1.",
    ),
    (
        "EP1001",
        "an input cannot be read",
        "The file does not exist, is a directory, or may not be read.",
    ),
    (
        "EP1002",
        "the language of an input is not known",
        "The language is told by the extension of the file, or else by its content. Promela models \
         are called .pml, .pm, .prm, .promela, .prom, .spin or .pr.",
    ),
    (
        "EP1003",
        "a text is not UTF-8",
        "Bytes that are not UTF-8 were replaced. This matters only in strings and comments; columns \
         in messages may be off by a few places.",
    ),
    (
        "EP1004",
        "a property that the model does not have",
        "A name given to --only is neither the name of a group of properties (assertions, deadlock, \
         invariant) nor that of a property in the model. Nothing was checked, since a misspelt name \
         would otherwise look like a success.",
    ),
    (
        "EP1005",
        "a wrong definition on the command line",
        "The argument of -D or -U has to be the name of a macro; -D may add `=` and a value.",
    ),
    (
        "EP1006",
        "a configuration file cannot be read",
        "The nearest everypath.toml (in this directory or above it), or the file that --config names, \
         cannot be read, is too large, or is not TOML. Nothing was checked. --no-config goes on without \
         it.",
    ),
    (
        "EP1007",
        "a setting is wrong",
        "A key of everypath.toml or a variable EVERYPATH_.. has a name or a value that means nothing, or \
         an option was given on which nothing depends in this run. \
         The keys are the long options of `everypath check`, and their values are checked in the same \
         way; paths in the file stay below its folder, and its outputs replace nothing that everypath did not \
         write, unless --trust says so (docs/security.md). Nothing was checked. `everypath check --show-config` \
         prints every setting with where it comes from.",
    ),
    (
        "EP1011",
        "there is no JDK",
        "Java programs run on the classes of a JDK, which is found through JAVA_HOME or through `java` on the \
         path; sources are compiled with its javac. Nothing was checked. `everypath doctor` says what is \
         installed.",
    ),
    (
        "EP1012",
        "a Java program cannot be loaded",
        "javac found errors, a class file or a jar is damaged, there is no class with `main`, or an option for javac \
         may run code or write files, which needs --trust (docs/security.md). Nothing was checked. --class-path adds \
         directories and jars, --main names the class that the program begins with.",
    ),
    (
        "EP1013",
        "not for Java programs, or not together",
        "Something was asked of a Java program that only models can be asked: strong fairness, labels (--cycles), \
         reductions of models, checkpoints; or options were given that exclude each other, such as --search stateless, \
         which keeps no states, and --invariant, which is about states. Nothing was checked.",
    ),
    (
        "EP1014",
        "only for Java programs",
        "An option was given that is about Java programs, and the input is a model: --search stateless, --guide, \
         --heap-limit, --spurious-wakeups, a heuristic or one of the reductions local, constant, locks and library. \
         Models have others: see `everypath check --help`. Nothing was checked.",
    ),
    (
        "EP1010",
        "there is no room on the disk for a search",
        "The directory of --disk cannot be made or written to. Nothing was checked. Name another one, or leave \
         --disk out: everything is in memory then.",
    ),
    (
        "EP1009",
        "a search cannot be taken up again",
        "--resume names a checkpoint that is not there, is damaged, or is of another search: of another \
         model or another version of it, with other properties, reductions or another store, or made by \
         another version of everypath. Nothing was checked. Limits, threads and formats may differ. Without \
         --resume the search begins anew.",
    ),
    (
        "EP1008",
        "an expectation names no property",
        "A [[target.prop]] of everypath.toml names a property that the model does not have, or that \
         was not selected. Properties are named by their ids, as in the JSON result (`assert@12:18`, \
         `deadlock`), by the name of an ltl formula, or all assertions together as `assertions`. A \
         run-time fault is a property only if it happens.",
    ),
    (
        "EP1201",
        "the text does not follow the grammar",
        "The parser expected something else at the marked place and says what. Statements are \
         separated by `;` or `->`; a line break alone also separates them, as in SPIN. The parser \
         goes on behind the error, so that several errors can be mended at once; later ones may be \
         consequences of the first. After an error nothing is checked and the exit code is 2.",
    ),
    (
        "EP1203",
        "a name that is not declared at this place",
        "The name is neither a variable, a channel, a label, an mtype name nor a word of the \
         language here. Names have to be declared before they are used; a variable that is declared \
         inside a block is not visible outside of it. If a similar name is visible, it is suggested. \
         After an error nothing is checked and the exit code is 2.",
    ),
    (
        "EP1401",
        "an expression or a pattern is too large",
        "The translation of an expression needs more registers than there are, or a receive compares \
         more message fields than can be told apart. Compute parts of it in statements before.",
    ),
    (
        "EP1402",
        "a construct that cannot be searched yet",
        "The model is well formed, but something in it has no translation, embedded C with \
         pointers or functions for example. It is refused instead of ignored: the verdict is \
         `unknown` and the exit code is 3.",
    ),
    (
        "EP1403",
        "a temporal operator outside of a formula",
        "Operators such as [], <> and U talk about runs and belong into ltl formulas. An invariant, \
         an assertion or a condition talks about one state.",
    ),
    (
        "EP1404",
        "a jump that leads to itself",
        "Following this goto never reaches a statement, so the process would have nothing to execute \
         and no place to wait at. Put a statement behind the label, `skip` for example.",
    ),
    (
        "EP1405",
        "a proctype is too large",
        "A proctype can have 65,536 control states. Inlines that are called often are the usual \
         reason.",
    ),
    (
        "EP1406",
        "a break leaves a d_step",
        "A d_step runs from its first statement to its last in one step, so a jump must not leave it.",
    ),
    ("EP1407", "too many proctypes", "A model can have 255 proctypes."),
    (
        "EP1408",
        "two `else` meet in one selection",
        "An option that begins with a selection takes part in the choice around it, so its `else` and \
         the one around it would both stand for the rest of the same choice. Put a statement before \
         the inner selection, or leave out one `else`.",
    ),
    (
        "EP1409",
        "a header of embedded C is ignored",
        "The built-in interpreter of embedded C knows what it needs of stdio.h, string.h and \
         assert.h: printing is passed over and assert is checked. The headers are not read.",
    ),
    (
        "EP1410",
        "a model is too large",
        "A state of the model would take more than 1 MiB, or there are more than 255 processes or \
         channels at the start, more than 65,535 messages in a channel, or millions of variables. \
         The model is well formed, so the verdict is `unknown` and the exit code is 3. Large arrays \
         can often be made smaller without losing what matters.",
    ),
    (
        "EP1701",
        "a formula cannot be read",
        "A formula of temporal logic is written with the operators of SPIN ([] <> U V W X && ||), of \
         Spot (G F U R W M X & |) or of NuSMV (G F U V X & |); --spelling says which if they \
         disagree. Propositions are names, texts in quotes, or expressions of the model such as \
         (x > 3) or P[1]@critical. Nothing is done and the exit code is 2.",
    ),
    (
        "EP1702",
        "an automaton cannot be read",
        "Automata are read in the Hanoi format (HOA v1) with a Büchi or generalized Büchi condition, \
         and as never claims of the form that translators write: labels, do or if with conditions \
         and goto. Nothing is done and the exit code is 2.",
    ),
    (
        "EP1703",
        "an automaton would be too large",
        "Automata can be exponentially larger than their formulas. Here a limit was reached before \
         the automaton was complete, so nothing is said about the formula and the exit code is 3. \
         Often a formula is a conjunction, whose parts can be looked at one by one.",
    ),
    (
        "EP1705",
        "an event is nothing that a model does",
        "An event of --fsa or --qre is a statement behind a label of that name in any process, or in one if it \
         is written as Proctype@label, or else the statements with that text, as traces show them. --event \
         NAME=WHAT gives another meaning to a name. Statements inside of a d_step are not events by \
         themselves. Nothing is done and the exit code is 2.",
    ),
    (
        "EP1706",
        "a pattern cannot be read",
        "A pattern is written as its name, its scope unless that is global, and what stands for its roles: \
         `response between; P = request; S = grant; Q = open; R = close`. `everypath prop list` names all \
         patterns and scopes. Nothing is done and the exit code is 2.",
    ),
    (
        "EP1707",
        "there is no such choice",
        "`--fair-choice` names choices (`if`, `do`) by the line of their first statement, as reports do: `strong on \
         the choice at line 21`. It asks for strong fairness of these statements only, so it does not go with \
         `--fair weak`. Nothing is done and the exit code is 2.",
    ),
    (
        "EP1708",
        "a condition on a Java program cannot be read",
        "Invariants and propositions of Java programs are made of static fields and what they lead to, numbers, \
         `true`, `false`, `null`, comparisons, `&&`, `||`, `!`, `+`, `-`, `*`, static boolean methods without \
         arguments, `in(Class.method)`, `held(Class.lock)`, `alive(thread)` and `objects()`. Nothing was checked. \
         docs/java-bugs.md has examples.",
    ),
    (
        "EP1801",
        "a flow graph cannot be read",
        "The message says what was expected at the marked place. docs/flow.md has the textual form: variables, \
         procedures, threads, and statements such as `lock l`, `event e`, `call p(x)`. Nothing is done and the exit \
         code is 2.",
    ),
    (
        "EP1802",
        "a flow graph makes no sense",
        "A thread is started that does not exist, or with all calls put in place the graph is too large. Nothing is \
         done and the exit code is 2.",
    ),
    (
        "EP1803",
        "a constraint is about nothing",
        "Constraints are named by what they are about: `task:THREAD`, `var:VARIABLE`, `monitor:LOCK`. Variables of \
         procedures have the number of the thread and of the copy behind their name (`success1_2`); `everypath flow \
         FILE --show graph` lists all names. Nothing is done and the exit code is 2.",
    ),
    (
        "EP1804",
        "a rule for events cannot be read",
        "A rule names a place and the event that it is: `call Fork.up on fork1 => f1Up`, `assign Fork.isUp = true => \
         raised`. A place begins with one of call, enter, exit, return, assign, test, lock, unlock, wait, notify, \
         start, join, send, receive, at; `on OBJECT` and `in THREAD` narrow it down, and `*` stands for any \
         characters. Nothing is done and the exit code is 2.",
    ),
    (
        "EP1805",
        "a program lacks an event of a property",
        "An event of the property is one that no place of the program makes, so a proof would say nothing about it. \
         `everypath flow FILE --show objects` lists the objects that rules can speak of, `--show graph` the events of a \
         flow graph. Nothing is done and the exit code is 2.",
    ),
    (
        "EP1704",
        "a property of events cannot be read",
        "A quantified regular expression is written as `for events { a, b } show all executions \
         satisfy (a ; b)*`, with `no` instead of `all` for what must not happen. An automaton has \
         lines such as `events a, b`, `start s`, `accept s, t` and `s a -> t`, or is a digraph in \
         DOT whose edges are labelled with events. Nothing is done and the exit code is 2.",
    ),
];

/// What is said about the codes that front ends only name.
const ILL_FORMED: &str = "It is reported when the model is read. After an error nothing is checked and the exit code is \
     2; after a warning the check goes on.";

/// Tables of the crates that report codes.
fn tables() -> Vec<&'static [(&'static str, &'static str)]> {
    vec![everypath_preprocess::CODES, everypath_lang_promela::CODES]
}

/// All codes with title and explanation.
fn registry() -> BTreeMap<&'static str, (&'static str, &'static str)> {
    let mut all: BTreeMap<_, _> =
        lint::ALL.iter().map(|lint| (lint.code, (lint.title, lint.explanation))).collect();
    for &(code, title) in tables().into_iter().flatten() {
        all.insert(code, (title, ILL_FORMED));
    }
    for &(code, title, text) in OWN {
        all.insert(code, (title, text));
    }
    all
}

/// Title and explanation of a code.
pub fn describe(code: &str) -> Option<(&'static str, &'static str)> {
    registry().get(code).copied()
}

/// The explanation of a code, or of all of them in a list.
pub fn explain(style: &Style, code: Option<&str>) -> Result<String, String> {
    let registry = registry();
    let mut out = String::new();
    let Some(wanted) = code else {
        for (code, (title, _)) in &registry {
            let name = lint::find(code).map(|lint| format!(" ({})", lint.name));
            let name = name.unwrap_or_default();
            let _ = writeln!(out, "{}  {title}{name}", style.paint(Paint::Strong, code));
        }
        return Ok(out);
    };
    let code = wanted.trim().to_ascii_uppercase();
    let code = match lint::find(wanted.trim()) {
        Some(lint) => lint.code.to_owned(),
        None if code.starts_with("EP") => code,
        None => format!("EP{code}"),
    };
    let Some((title, text)) = registry.get(code.as_str()) else {
        return Err(format!("there is no code `{wanted}`; `everypath explain` lists all codes"));
    };
    let _ = writeln!(out, "{}", style.paint(Paint::Strong, &format!("{code}: {title}")));
    let _ = writeln!(out);
    let mut column = 0;
    for word in text.split_whitespace() {
        if column > 0 && column + 1 + word.len() > style.width.min(80) {
            out.push('\n');
            column = 0;
        }
        if column > 0 {
            out.push(' ');
            column += 1;
        }
        out.push_str(word);
        column += word.len();
    }
    out.push('\n');
    if let Some(lint) = lint::find(&code) {
        let level = match lint.default_level {
            Level::Off => "reported under strict rules only",
            Level::Note => "a note",
            Level::Warning => "a warning",
            Level::Error => "an error",
        };
        let _ = writeln!(out, "\nlint `{}`, {level}", lint.name);
        for (heading, model) in [("found in", lint.example), ("not in", lint.corrected)] {
            let _ = writeln!(out, "\n{heading}:");
            for line in model.lines() {
                let _ = writeln!(out, "    {line}");
            }
        }
    }
    Ok(out)
}

#[cfg(test)]
mod tests {
    use super::*;

    const STYLE: Style = Style { color: false, ascii: true, width: 80 };

    #[test]
    fn every_code_is_given_once_and_explained() {
        let own = OWN.iter().map(|own| own.0).collect::<Vec<_>>();
        let others = tables().into_iter().flatten().map(|pair| pair.0).collect::<Vec<_>>();
        for mut codes in [own, others] {
            for code in &codes {
                assert!(code.len() == 6 && code.starts_with("EP"), "{code}");
                assert!(code[2..].chars().all(|c| c.is_ascii_digit()), "{code}");
                assert!(explain(&STYLE, Some(code)).unwrap().lines().all(|line| line.len() <= 100));
            }
            let all = codes.len();
            codes.sort_unstable();
            codes.dedup();
            assert_eq!(codes.len(), all, "a code has two meanings");
        }
    }

    /// Whatever code some crate reports, it can be looked up.
    #[test]
    fn no_code_is_forgotten() {
        let crates = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
        let mut folders = vec![crates];
        let mut seen = 0;
        while let Some(folder) = folders.pop() {
            for entry in std::fs::read_dir(folder).unwrap() {
                let path = entry.unwrap().path();
                let name = path.file_name().unwrap().to_string_lossy().into_owned();
                if path.is_dir() && name != "tests" && name != "target" {
                    folders.push(path);
                } else if name.ends_with(".rs") {
                    let text = std::fs::read_to_string(&path).unwrap();
                    for (at, _) in text.match_indices("\"EP") {
                        let code = text.get(at + 1..at + 7).unwrap_or("");
                        let digits = code.get(2..).unwrap_or("");
                        let closed = text[at + 1..].get(6..7) == Some("\"");
                        if closed && digits.chars().all(|c| c.is_ascii_digit()) && code != "EP9999"
                        {
                            assert!(
                                explain(&STYLE, Some(code)).is_ok(),
                                "{code}: {}",
                                path.display()
                            );
                            seen += 1;
                        }
                    }
                }
            }
        }
        assert!(seen > 50, "only {seen} codes were found");
    }

    #[test]
    fn codes_are_found_in_any_spelling() {
        let text = explain(&STYLE, Some("EP0101")).unwrap();
        assert!(text.starts_with("EP0101: an assertion can fail\n\n"));
        assert_eq!(explain(&STYLE, Some("ep0101")), Ok(text.clone()));
        assert_eq!(explain(&STYLE, Some("0101")), Ok(text));
        assert!(explain(&STYLE, Some("EP9999")).is_err());
        assert!(explain(&STYLE, None).unwrap().contains("EP0102  a deadlock\n"));
    }
}
