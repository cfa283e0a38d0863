//! Embedded C where the answer is not SPIN's, or where SPIN gives none.

use std::path::Path;

use everypath_conformance::{Config, Ours, Ran, run};

fn ran(text: &str) -> Ran {
    match run(text, Path::new("test.pml"), Config::default()) {
        Ours::Ran(ran) => ran,
        other => panic!("{text}: {other:?}"),
    }
}

fn kinds(text: &str) -> Vec<String> {
    let ran = ran(text);
    assert!(ran.broken_evidence.is_empty(), "{text}: {:?}", ran.broken_evidence);
    ran.kinds.into_iter().collect()
}

/// SPIN reports it under a name of its own, and does not take the step.
#[test]
fn a_precondition_that_fails_is_an_assertion_and_its_code_is_passed_over() {
    let text = "c_state \"int n\" \"Global\"; c_state \"int a[2]\" \"Global\"
        active proctype P() { c_code [now.n > 0] { now.n = 7; now.a[5] = 1; }; assert(c_expr { now.n == 0 }) }";
    let ran = ran(text);
    assert_eq!(
        (ran.errors, ran.kinds.into_iter().collect::<Vec<_>>()),
        (1, vec!["assertion".into()])
    );
}

#[test]
fn assert_in_c_is_an_assertion() {
    let text =
        "c_state \"int n\" \"Global\"; active proctype P() { c_code { assert(now.n > 0); } }";
    assert_eq!(kinds(text), ["assertion"]);
}

/// SPIN writes somewhere.
#[test]
fn an_index_out_of_range_is_an_error() {
    let text = "c_state \"int a[2]\" \"Global\"; active proctype P() { byte i = 2;
        c_code { now.a[PP->i] = 1; } }";
    assert_eq!(kinds(text), ["index"]);
}

/// SPIN dies.
#[test]
fn a_division_by_zero_is_an_error() {
    let text =
        "c_state \"int n\" \"Global\"; active proctype P() { c_code { now.n = 3 / now.n; } }";
    assert_eq!(kinds(text), ["division"]);
}

/// SPIN hangs.
#[test]
fn an_endless_loop_is_not_a_verdict() {
    let text =
        "c_state \"int n\" \"Global\"; active proctype P() { c_code { while (1) now.n++; } }";
    assert!(!ran(text).complete);
}

/// Variables of a fragment are gone after it.
#[test]
fn locals_of_fragments_do_not_split_states() {
    let model = |code: &str| format!("byte x; active [2] proctype P() {{ do :: {code} od }}");
    let plain = ran(&model("x = (x + 3) % 7"));
    let fragment =
        ran(&model("c_code { int i = 1; unsigned char j = i + now.x; now.x = (j + 2) % 7; }"));
    assert_eq!((plain.states, plain.transitions), (fragment.states, fragment.transitions));
}
