//! `everypath prop` and `everypath automaton` as their users meet them.

use std::io::Write;
use std::process::{Command, Output, Stdio};

fn run(args: &[&str], input: &str) -> Output {
    let mut child = Command::new(env!("CARGO_BIN_EXE_everypath"))
        .args(args)
        .current_dir(concat!(env!("CARGO_MANIFEST_DIR"), "/../.."))
        .env_remove("COLUMNS")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    // A program that refuses its arguments does not read.
    let _ = child.stdin.take().unwrap().write_all(input.as_bytes());
    child.wait_with_output().unwrap()
}

fn stdout(output: &Output) -> String {
    String::from_utf8(output.stdout.clone()).unwrap()
}

fn stderr(output: &Output) -> String {
    String::from_utf8(output.stderr.clone()).unwrap()
}

/// Runs and expects an exit code and a text on the standard error.
fn refused(args: &[&str], exit: i32, message: &str) {
    let output = run(args, "");
    assert_eq!(output.status.code(), Some(exit), "{args:?}: {}", stderr(&output));
    assert!(stderr(&output).contains(message), "{args:?}: {}", stderr(&output));
    assert_eq!(stdout(&output), "", "{args:?}");
}

#[test]
fn questions_are_answered_from_a_pipe() {
    let output = run(&["prop", "new"], "5\n6\n1\nrequest\ngrant\nopen\n(n > 3)\n");
    assert!(output.status.success(), "{}", stderr(&output));
    let text = stdout(&output);
    assert!(text.starts_with("From every open on, up to the next (n > 3) if one comes, every request is answered by grant"), "{text}");
    assert!(text.contains("\nin a model: ltl property { []((open && !(n > 3)) -> "), "{text}");
    // Questions are not part of the answer.
    assert!(!text.contains('?') && stderr(&output).contains("What opens the part of the run (Q)?"));
    // The same without questions.
    let args = ["prop", "new", "--pattern", "response", "--scope", "after-until"];
    let roles = ["--p", "request", "--s", "grant", "--q", "open", "--r", "(n > 3)"];
    let again = run(&[&args[..], &roles].concat(), "");
    assert_eq!(stdout(&again), text);
    assert_eq!(stderr(&again), "");
}

#[test]
fn every_way_through_the_questions_ends() {
    for scope in 1..=5 {
        for (kind, extra) in [
            ("1", ""),
            ("2", ""),
            ("3", ""),
            ("4", "3\n"),
            ("5", "1\n"),
            ("5", "2\n"),
            ("5", "3\n"),
            ("5", "4\n"),
            ("6", "1\n"),
            ("6", "2\n"),
            ("6", "3\n"),
            ("6", "4\n"),
        ] {
            let answers = format!("{scope}\n{kind}\n{extra}a\nb\nc\nd\ne\n");
            let output = run(&["prop", "new", "-q"], &answers);
            assert!(output.status.success(), "{answers:?}: {}", stderr(&output));
            assert_eq!(stdout(&output).lines().count(), 1, "{answers:?}");
        }
    }
}

#[test]
fn missing_and_wrong_answers_are_refused() {
    let output = run(&["prop", "new"], "1\n");
    assert_eq!(output.status.code(), Some(2));
    assert!(stderr(&output).contains("the input ended before all questions were answered"));
    let output = run(&["prop", "new"], &"9\n".repeat(20));
    assert_eq!(output.status.code(), Some(2));
    assert!(stderr(&output).contains("`9` is none of them"));
    refused(&["prop", "new", "--pattern", "absense"], 2, "did you mean `absence`?");
    refused(
        &["prop", "new", "--pattern", "absence", "--scope", "after-untill"],
        2,
        "did you mean `after-until`?",
    );
    refused(
        &["prop", "new", "--pattern", "absence", "--s", "x"],
        2,
        "absence in the scope global has no S",
    );
    refused(
        &["prop", "new", "--pattern", "absence", "--p", "x &&"],
        2,
        "expected a formula, found the end",
    );
    refused(&["prop", "new", "--pattern", "absence", "--name", "a b"], 2, "expected a name");
    refused(&["prop", "show", "response", "--scope", "nowhere"], 2, "there is no scope `nowhere`");
    refused(
        &["prop", "show", "serve", "--model", "examples/promela/peterson.pml"],
        2,
        "there is no ltl property `serve`",
    );
    refused(&["prop", "list", "no-such-file.pml"], 2, "cannot read");
}

#[test]
fn formulas_are_refused_with_the_place() {
    for (text, message) in [
        ("a U b U c", "tools disagree"),
        ("[] x == 0", "write (x == 0)"),
        ("(a && b", "`(` is never closed"),
        ("a && (b c)", "the `(` at column 6 is still open"),
        ("a b", "expected an operator"),
        ("GF a", "with blanks between"),
        ("a # b", "`#` has no meaning"),
        ("", "expected a formula, found the end"),
    ] {
        refused(&["automaton", text], 2, message);
        refused(&["prop", "show", text], 2, message);
        refused(&["automaton", text], 2, "<formula>:1:");
    }
    refused(&["automaton", &"!".repeat(1_000)], 2, "nested deeper");
    let deep = format!("{}a{}", "(".repeat(50_000), ")".repeat(50_000));
    refused(&["automaton", &deep], 2, "nested deeper");
    refused(&["automaton", "[]p", "--format", "never", "--type", "tgba"], 2, "--type ba");
    refused(&["automaton"], 2, "required");
}

#[test]
fn too_large_automata_are_given_up() {
    // F p0 && ... && F p19 needs a state for each subset.
    let parts: Vec<String> = (0..20).map(|i| format!("<>(p{i} && X q{i})")).collect();
    refused(&["automaton", &parts.join(" && ")], 3, "EP1703");
    let atoms: Vec<String> = (0..70).map(|i| format!("p{i}")).collect();
    refused(&["automaton", &atoms.join(" && ")], 3, "more than 64 propositions");
}

#[test]
fn automata_go_from_format_to_format() {
    let hoa = stdout(&run(&["automaton", "[](p -> <>(x > 3)) && []<>q", "--format", "hoa"], ""));
    assert!(hoa.contains("AP: 3 \"p\" \"x > 3\" \"q\""), "{hoa}");
    let again = run(&["automaton", "--file", "-", "--format", "hoa"], &hoa);
    assert!(again.status.success(), "{}", stderr(&again));
    let without_name = |text: &str| {
        text.lines()
            .filter(|line| !line.starts_with("name:"))
            .map(str::to_owned)
            .collect::<Vec<_>>()
    };
    assert_eq!(without_name(&stdout(&again)), without_name(&hoa));
    let claim = run(&["automaton", "--file", "-", "--format", "never"], &hoa);
    assert!(stdout(&claim).starts_with("never {"), "{}", stdout(&claim));
    let back = run(&["automaton", "--file", "-", "--type", "ba"], &stdout(&claim));
    assert!(stdout(&back).contains("accepting"), "{}", stderr(&back));
    let broken = run(&["automaton", "--file", "-"], "HOA: v1\nStates: x\n");
    assert_eq!(broken.status.code(), Some(2));
    assert!(stderr(&broken).contains("<stdin>:2:9"), "{}", stderr(&broken));
    for format in ["dot", "svg", "text"] {
        let output = run(&["automaton", "[]<>p", "--format", format], "");
        assert!(output.status.success() && stdout(&output).lines().count() > 3, "{format}");
    }
}

#[test]
fn properties_of_events_are_shown() {
    let output = run(
        &[
            "prop",
            "show",
            "--qre",
            "for events { up, down } show no execution satisfies .* ; down ; down",
        ],
        "",
    );
    assert!(output.status.success(), "{}", stderr(&output));
    let text = stdout(&output);
    assert!(text.contains("shortest without the property: down down\n"), "{text}");
    let dot =
        "digraph { a [shape=doublecircle] a -> b [label=go] b -> c [label=go] c -> a [label=go] }";
    let output = run(&["prop", "show", "--fsa", "-"], dot);
    assert!(stdout(&output).contains("start a\n"), "{}", stderr(&output));
    refused(
        &["prop", "show", "--qre", "for events { up } show all executions satisfy dwn"],
        2,
        "<qre>:1:47",
    );
    refused(
        &["prop", "show", "--qre", "for events { a, b } show all executions satisfy .* ; a ; .^40"],
        3,
        "too many states",
    );
    refused(
        &["prop", "show", "--fsa", "docs/models/desk.pml"],
        2,
        "this is no line of an automaton",
    );
    refused(&["prop", "show", "--fsa", "x", "[]p"], 2, "cannot be used with");
    refused(&["prop", "show"], 2, "required");
}

#[test]
fn several_propositions_are_taken_together() {
    let formula = |args: &[&str]| {
        let output = run(
            &[&["prop", "new", "-q", "--pattern", "absence", "--p", "error"], args].concat(),
            "",
        );
        assert!(output.status.success(), "{}", stderr(&output));
        stdout(&output).trim().to_owned()
    };
    // The part begins where the second of the two has come.
    assert_eq!(
        formula(&["--scope", "after", "--q", "eventualC(open, (n > 3))"]),
        "!(open && X(!(n > 3) U (n > 3))) W (open && X(!(n > 3) U ((n > 3) && !<>error)))"
    );
    assert_eq!(
        formula(&["--scope", "before", "--r", "parallelC(a, b)"]),
        "<>(a && b) -> !(!(a && b) U (error && !(a && b)))"
    );
    refused(
        &["prop", "new", "--pattern", "absence", "--p", "eventualC(a, )"],
        2,
        "expected a formula",
    );
}
