//! Embedded C: what is refused, and that no text makes the translation fail.

mod support;

use everypath_lang_promela::{LowerOptions, lower};
use everypath_model::Severity;

/// What the translation says about a model, one line each: severity, code, place, text.
fn said(text: &str) -> Vec<String> {
    let (sources, parsed) = support::read(text);
    let model = parsed.model.unwrap_or_else(|| panic!("{text}: {:?}", parsed.diagnostics));
    let lowered = lower(&model, &LowerOptions::default());
    let refused = lowered.diagnostics.iter().any(|d| d.severity >= Severity::Unsupported);
    assert_eq!(lowered.machine.is_none(), refused, "{text}: {:?}", lowered.diagnostics);
    lowered.diagnostics.iter().map(|d| support::show(&sources, d)).collect()
}

/// A fragment in a model, on line 4.
fn in_model(fragment: &str) -> String {
    format!(
        "c_state \"int n\" \"Global\"; c_state \"uint u\" \"Global\"; c_state \"int a[3]\" \"Global\"\n\
         byte x; hidden byte h; chan q = [1] of {{ byte }}; typedef T {{ byte f }}; T t;\n\
         proctype Other() {{ byte y; skip }} active proctype P() {{ byte k;\n{fragment}\n}}"
    )
}

/// The construct that a model is refused for, and the place.
fn refusal(text: &str) -> String {
    let lines = said(text);
    let [line] = &lines[..] else { panic!("{text}: {lines:#?}") };
    let start = "unsupported EP1402 ";
    let end = " is not supported by the built-in interpreter; move it to Promela";
    let middle = line.strip_prefix(start).and_then(|line| line.strip_suffix(end));
    middle.unwrap_or_else(|| panic!("{text}: {line}")).replace("embedded C: ", "")
}

#[test]
fn refused_statements_and_expressions() {
    let cases = [
        ("c_code { *p = 3; }", "a pointer"),
        ("c_code { now.n = *p; }", "a pointer"),
        ("c_code { p->x = 1; }", "a pointer"),
        ("c_code { int *p; }", "a pointer"),
        ("c_code { now.n = (int) (char *) 3; }", "a pointer"),
        ("c_code { now.n = &now.n; }", "the address of an object"),
        ("c_code { now.n = malloc(3); }", "the call of `malloc`"),
        ("c_code { free(0); }", "the call of `free`"),
        ("c_code { uerror(\"x\"); }", "the call of `uerror`"),
        ("c_expr { f() }", "the call of `f`"),
        ("c_code { long x = 1; }", "the type `long`"),
        ("c_code { now.n = (long long) 1; }", "the type `long long`"),
        ("c_code { now.n = 3000000000; }", "the 64-bit number `3000000000`"),
        ("c_code { now.n = 3L; }", "the 64-bit number `3L`"),
        ("c_code { now.n = 1.5; }", "a floating-point number"),
        ("c_code { struct s x; }", "a `struct`"),
        ("c_code { static int x; }", "a `static` variable of a fragment"),
        ("c_code { int x[3]; }", "an array that is local to a fragment"),
        ("c_code { int x; int x; }", "a second declaration of `x`"),
        ("c_code { goto end; }", "`goto`"),
        ("c_code { return; }", "`return`"),
        ("c_code { break; }", "`break`"),
        ("c_code { while (1) { continue; } }", "`continue`"),
        ("c_code { switch (now.n) { } }", "`switch`"),
        ("c_code { now.n = now.n++; }", "`++` or `--` inside an expression"),
        ("c_code { now.n = now.x = 1; }", "an assignment inside an expression"),
        ("c_code { now.n = (1, 2); }", "the comma operator"),
        ("c_code { now.n = sizeof(int); }", "`sizeof` in an expression"),
        ("c_code { now.n = \"text\"; }", "a string"),
        ("c_code { now.a[0][1] = 2; }", "an array of several dimensions"),
        ("c_code { now.a = 2; }", "the whole array `a`"),
        ("c_code { now.n[1] = 2; }", "an index on `n`"),
        ("c_code { now.t = now.t; }", "the whole structure `t`"),
        ("c_code { now.t.g = 1; }", "the field `g`"),
        ("c_code { now.q = 1; }", "the channel `q`"),
        ("c_code { now.h = 1; }", "the hidden variable `h`"),
        ("c_code { now.z = 1; }", "`now.z`, which is not a variable of the model,"),
        ("c_code { PP->z = 1; }", "`PP->z`, which is not a variable of `P`,"),
        ("c_code { PP->_pid = 1; }", "a write to `_pid`"),
        ("c_code { POther->y = 1; }", "`POther->y` outside of `Other`"),
        (
            "c_code { x = 1; }",
            "the name `x` (a variable of the model is `now.x`), which has no C declaration,",
        ),
        ("c_code { now.n = now.u / 2; }", "`/` on an unsigned 32-bit number"),
        ("c_code { now.n %= now.u; }", "`%` on an unsigned 32-bit number"),
        ("c_code { now.u >>= 1; }", "`>>` on an unsigned 32-bit number"),
        ("c_code { now.n = 3 }", "text that ends too early"),
        ("c_code { now.n = ; }", "the text at `;`"),
        ("c_code { now.n = 1;\n\n  $ }", "the character `$` (line 3 of the fragment)"),
        ("c_expr [now.n > 0] { now.n < 3 }", "a precondition of c_expr"),
    ];
    for (fragment, construct) in cases {
        assert_eq!(refusal(&in_model(fragment)), format!("4:1 {construct}"), "{fragment}");
    }
}

#[test]
fn refused_declarations() {
    let cases = [
        ("c_decl { int *p; }", "a pointer"),
        ("c_decl { struct s { int x; }; }", "a `struct`"),
        ("c_decl { typedef int t; }", "`typedef`"),
        ("c_decl { int f(int x) { return x; } }", "the function `f`"),
        ("c_decl { void f(void); }", "the function `f`"),
        ("c_decl { long x; }", "the type `long`"),
        ("c_decl { int a[2][2]; }", "an array of several dimensions"),
        ("c_decl { int a[0]; }", "the size of the array `a`"),
        ("c_decl { int a = b; }", "the name `b`, which has no C declaration,"),
        ("c_decl { int a = { 1 }; }", "this initial value of `a`"),
        ("c_decl { enum e { A } x; }", "a variable of an enumeration type"),
        ("c_decl {\n\\#include <pthread.h>\n}", "the header `pthread.h` (line 2 of the fragment)"),
        ("c_decl {\n\\#define N 3\n}", "the line `#define` (line 2 of the fragment)"),
        ("c_code { int f() { return 1; } }", "the function `f`"),
        ("c_code { int x; }", "a declaration in c_code outside of proctypes"),
        ("c_state \"int *p\" \"Global\"", "a pointer"),
        ("c_state \"struct s x\" \"Global\"", "a `struct`"),
        ("c_state \"int x\" \"Local Q\"", "the scope `Local Q` of c_state"),
        ("c_state \"int x\" \"Global\" \"f()\"", "the call of `f`"),
        ("c_state \"int n\" \"Global\" byte n", "a second declaration of `n`"),
        ("c_track \"&x\" \"sizeof(int)\"", "c_track of `&x`, which is not a named object,"),
        ("c_track \"p->x\" \"4\"", "c_track of `p->x`, which is not a named object,"),
    ];
    for (unit, construct) in cases {
        let text = format!("{unit}\nactive proctype P() {{ skip }}");
        assert_eq!(refusal(&text), format!("1:1 {construct}"), "{unit}");
    }
}

#[test]
fn effects_that_spin_does_not_undo_are_refused() {
    let model = |units: &str| {
        format!("c_decl {{ int g = 3; }} {units}\nactive proctype P() {{ c_code {{ g++; }} }}")
    };
    assert_eq!(
        refusal(&model("")),
        "2:23 a write to `g`, which no c_track names and so is not restored on backtracking,"
    );
    assert_eq!(
        refusal(&model("c_track \"&g\" \"sizeof(int)\" \"UnMatched\"")),
        "2:23 a write to `g`, which is tracked as UnMatched,"
    );
    let part = model("c_track \"&g\" \"2\"").replace("g++;", "");
    assert_eq!(refusal(&part), "1:23 c_track of `2` bytes of `g`, which has 4,");
    let hidden = "c_state \"int g\" \"Hidden\"\nactive proctype P() { c_code { g = 1; } }";
    assert_eq!(
        refusal(hidden),
        "2:23 a write to `g`, which is hidden and so not restored on backtracking,"
    );
}

#[test]
fn understood_text_is_taken_without_a_word() {
    let fragments = [
        "c_code { }",
        "c_code { ; ; /* nothing */ // at all\n }",
        "c_code { now.n = 0x1F + 017 + 10u + 'a' + '\\n' + '\\x41'; }",
        "c_code { ++now.n; --now.a[2]; now.t.f |= 1 << 3; }",
        "c_code { Printf(\"%d %s\\n\", now.n, \"text\" \"more\"); printf(\"x\"); assert(now.n < 3); }",
        "c_expr { now.u < 3 && (uchar) now.n == (short) now.u ? PP->k : !PP->_pid }",
        "c_code { for (;;) { break; } do now.n++; while (now.n < 3); if (1) ; else now.n = 0; }",
        "c_code { int i = 3; { int i = 4; now.n = i; } now.n += i; }",
    ];
    for fragment in fragments {
        assert_eq!(said(&in_model(fragment)), [""; 0], "{fragment}");
    }
    assert_eq!(
        said("c_decl {\n\\#include <stdio.h>\n}\ninit { skip }"),
        ["note EP1409 1:1 embedded C: `#include <stdio.h>` is ignored"]
    );
}

#[test]
fn deep_and_long_text_does_not_exhaust_the_stack() {
    let count = 100_000;
    let repeated = |before: &str, middle: &str, after: &str| {
        before.repeat(count) + middle + &after.repeat(count)
    };
    for text in [
        format!("c_code {{ now.n = {}; }}", repeated("(", "1", ")")),
        format!("c_code {{ now.n = {}; }}", repeated("-", "1", "")),
        format!("c_code {{ now.n = {}; }}", repeated("now.n + ", "1", "")),
        format!("c_code {{ now.n = {}; }}", repeated("1 ? 2 : ", "1", "")),
        format!("c_code {{ now.n = {}; }}", repeated("now.a[", "1", "]")),
        format!("c_code {{ {} }}", repeated("{", "", "}")),
        format!("c_code {{ {} }}", repeated("if (1) ", ";", "")),
        format!("c_code {{ {} }}", repeated("if (1) ; else ", ";", "")),
    ] {
        assert!(!said(&in_model(&text)).is_empty(), "{}", &text[..40]);
    }
    assert_eq!(said(&in_model(&format!("c_code {{ {} }}", "now.n++;".repeat(1000)))), [""; 0]);
}

#[test]
fn mutated_text_does_not_panic() {
    let sample = "int i = 0x10; for (i = 0; i < 3 && now.n != 'a'; i++) { now.a[i % 3] += \
                  (uchar) PP->k << 2; } if (now.u > 3u) { do { --i; } while (i); } else \
                  printf(\"%d\", now.t.f); /* end */ assert(~now.n ? 1 : now.x);";
    let pieces: Vec<&str> = sample.split_inclusive([' ', '(', ')', ';', '[', '.']).collect();
    let mut seed = 0x5eed_u64;
    let mut random = |limit: usize| {
        seed ^= seed << 13;
        seed ^= seed >> 7;
        seed ^= seed << 17;
        (seed % limit as u64) as usize
    };
    for _ in 0..3000 {
        let mut text = pieces.clone();
        for _ in 0..=random(4) {
            let (at, from) = (random(text.len()), random(pieces.len()));
            match random(3) {
                0 => drop(text.remove(at)),
                1 => text.insert(at, pieces[from]),
                _ => text[at] = pieces[from],
            }
        }
        let text = in_model(&format!("c_code {{ {} }}", text.concat()));
        let (_, parsed) = support::read(&text);
        if let Some(model) = parsed.model {
            lower(&model, &LowerOptions::default());
        }
    }
}
