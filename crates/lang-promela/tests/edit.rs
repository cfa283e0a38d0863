//! Statements made atomic on a copy.

mod support;

use everypath_lang_promela::ast::{Model, Stmt, StmtKind};
use everypath_lang_promela::make_atomic;
use everypath_model::{FileId, Span};

/// The model of a text, with `first` and `last` made atomic: how many sequences became so, and what
/// they span.
fn atomic(text: &str, first: &str, last: &str) -> Option<(usize, String)> {
    let (sources, parsed) = support::read(text);
    let model = parsed.model.unwrap_or_else(|| panic!("{:?}", parsed.diagnostics));
    let starts = |span: Span| sources.text(span) == first;
    let ends = |span: Span| sources.text(span) == last;
    let (copy, span) = make_atomic(&model, &starts, &ends)?;
    assert_eq!(span.file, FileId(0));
    Some((count(&copy) - count(&model), sources.text(span).to_owned()))
}

fn count(model: &Model) -> usize {
    fn of(body: &[Stmt]) -> usize {
        body.iter()
            .map(|s| match &s.kind {
                StmtKind::Atomic(body) => 1 + of(body),
                StmtKind::If(options) | StmtKind::Do(options) => {
                    options.iter().map(|o| of(o)).sum()
                }
                StmtKind::Block { body, .. } | StmtKind::For { body, .. } => of(body),
                _ => 0,
            })
            .sum()
    }
    model.proctypes.iter().map(|p| of(&p.body)).sum()
}

#[test]
fn neighbours_become_one() {
    let text = "byte n; active proctype P() { byte t; t = n; skip; n = t + 1; n = 0 }";
    assert_eq!(atomic(text, "t = n", "n = t + 1"), Some((1, "t = n; skip; n = t + 1".into())));
}

#[test]
fn a_guard_and_what_follows_it() {
    let text = "bool l; active proctype P() { do :: l == 0 -> l = 1; l = 0 :: else od }";
    assert_eq!(atomic(text, "l == 0", "l = 1"), Some((1, "l == 0 -> l = 1".into())));
}

#[test]
fn one_of_them_may_stand_further_in() {
    let text = "byte n; active proctype P() { byte t; t = n; if :: n > 5 :: else -> n = t + 1 fi }";
    let (made, _) = atomic(text, "t = n", "n = t + 1").unwrap();
    assert_eq!(made, 1);
}

#[test]
fn every_call_of_an_inline() {
    let text = "byte n; inline inc(t) { t = n; n = t + 1 }
        active proctype P() { byte t; inc(t); inc(t) }";
    assert_eq!(atomic(text, "t = n", "n = t + 1").unwrap().0, 2);
}

#[test]
fn what_cannot_be_made_one() {
    let cases = [
        // The other way round, as it happens in a loop.
        ("byte n; active proctype P() { byte t; do :: n = t + 1; t = n od }", "t = n", "n = t + 1"),
        // A loop between them.
        (
            "byte n; active proctype P() { byte t; t = n; do :: n > 3 -> n-- :: else -> break od; \
             n = t + 1 }",
            "t = n",
            "n = t + 1",
        ),
        // Two options of a selection.
        (
            "byte n; active proctype P() { byte t; if :: t = n :: n = t + 1 fi }",
            "t = n",
            "n = t + 1",
        ),
        // Different processes.
        (
            "byte n, t; active proctype P() { t = n } active proctype Q() { n = t + 1 }",
            "t = n",
            "n = t + 1",
        ),
        // Already so.
        (
            "byte n; active proctype P() { byte t; atomic { t = n; n = t + 1 } }",
            "t = n",
            "n = t + 1",
        ),
        // One statement.
        ("byte n; active proctype P() { n++ }", "n++", "n++"),
    ];
    for (text, first, last) in cases {
        assert_eq!(atomic(text, first, last), None, "{text}");
    }
}
