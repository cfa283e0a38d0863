//! Expressions and formulas over a finished model, as the command line gives them.

mod support;

use everypath_lang_promela::{parse_expression, parse_formula};
use everypath_model::FileId;

const MODEL: &str = "mtype = { red, green }; typedef T { byte a[2]; int b }; T t; byte x, v[3];
    chan q = [2] of { byte };
    active [2] proctype P() { byte l; int w[2]; l = 1; CS: l = 2 }";

/// The message, or how the tree begins.
fn read(text: &str, temporal: bool) -> String {
    let (mut sources, parsed) = support::read(MODEL);
    let model = parsed.model.expect("the model is right");
    let file: FileId = sources.add("command line".into(), text.to_string());
    let parse = if temporal { parse_formula } else { parse_expression };
    match parse(text, file, &model) {
        Ok(expr) => support::dump::expression(&model, &expr),
        Err(found) => support::show(&sources, &found[0]),
    }
}

#[test]
fn expressions_see_globals_and_remote_references() {
    for (text, expected) in [
        ("x == 1 && v[2] != green", "(And (Eq x 1) (Ne v[2] green#1))"),
        ("t.a[1] + t.b", "(Add t.a[1] t.b)"),
        ("len(q) < 2 || full(q)", "(Or (Lt len(q) 2) Full(q))"),
        ("!(P[0]@CS && P[1]@CS)", "(Not (And P[0]@CS P[1]@CS))"),
        ("P[1]:l == P:l", "(Eq P[1]:l P:l)"),
        ("P:w[1]", "P:w[1]"),
        ("(x -> 1 : 2)", "(if x 1 2)"),
    ] {
        assert_eq!(read(text, false), expected, "{text}");
    }
}

#[test]
fn wrong_expressions_are_reported() {
    for (text, expected) in [
        (
            "y == 1",
            "error EP1203 1:1 unknown name `y` [not a variable, label, channel or keyword here]",
        ),
        ("x ==", "error EP1201 1:5 expected an expression, found the end of the file"),
        (
            "x = 1",
            "error EP1201 1:3 expected an operator or the end of the expression, found `=` \
             help: `=` assigns, and only as a statement; to compare, write `==`",
        ),
        ("P[0]@XX", "error EP1206 1:6 proctype `P` has no label `XX`"),
        ("P[0]:zz", "error EP1203 1:6 proctype `P` has no variable `zz`"),
        ("P:w", "error EP1302 1:1 array `w` needs an index here"),
        ("run P()", "error EP1312 1:1 `run` in a place where only a value is needed"),
        ("t", "error EP1304 1:1 `t` is a structure: a field of it is needed here"),
        ("", "error EP1201 1:1 expected an expression, found the end of the file"),
        ("[] x", "error EP1201 1:1 expected an expression, found `[`"),
    ] {
        assert_eq!(read(text, false), expected, "{text}");
    }
}

#[test]
fn formulas_have_temporal_operators() {
    assert_eq!(
        read("[] (x < 2) && <> (P[0]@CS)", true),
        "(And (Always (Lt x 2)) (Eventually P[0]@CS))"
    );
    assert!(read("[] x == 2", true).starts_with("error EP1212"));
    assert!(read("[] full(q)", true).starts_with("error EP1311"));
}
