//! Types: the oracles T0 to T8, and no false error on real models.

mod support;

use std::path::{Path, PathBuf};

use everypath_lang_promela::types::{TypeOptions, Types, infer};
use everypath_model::{Severity, Sources};
use support::{read, read_as, show};

const STRICT: TypeOptions = TypeOptions { strict: true, strict_pid: false };
const STRICT_PID: TypeOptions = TypeOptions { strict: true, strict_pid: true };

/// The client-server model with helpers that are started as they are needed.
const BASE: &str = "
mtype = { request, deny, hold, grant, give_back };
chan server = [0] of { mtype, chan };
chan null = [0] of { mtype, chan };

proctype Helper(chan listen, talk) {
  do
  :: talk!hold(listen)
  :: talk!deny(listen) -> break
  :: talk!grant(listen) -> listen?give_back(null) -> break
  od;
  server!give_back(listen)
}

proctype Client() {
  chan me = [0] of { mtype, chan };
  chan helper;
  do
  :: timeout ->
     server!request(me);
     do
     :: me?hold(helper)
     :: me?deny(helper) -> break
     :: me?grant(helper) -> helper!give_back(null) -> break
     od
  od
}

active proctype Server() {
  chan helpers[2] = [0] of { mtype, chan };
  chan pool = [2] of { chan };
  chan client, free;
  pool!helpers[0];
  pool!helpers[1];
  run Client();
  run Client();
  do
  :: server?request(client) ->
     if
     :: empty(pool) -> client!deny(null)
     :: nempty(pool) -> pool?free; run Helper(free, client)
     fi
  :: server?give_back(free) -> pool!free
  od
}
";

fn types_of(text: &str, options: TypeOptions) -> (Sources, Types) {
    let (sources, parsed) = read(text);
    let messages: Vec<String> = parsed.diagnostics.iter().map(|d| show(&sources, d)).collect();
    let model = parsed.model.unwrap_or_else(|| panic!("{messages:?}\n{text}"));
    let types = infer(&model, options);
    (sources, types)
}

fn messages(text: &str, options: TypeOptions) -> Vec<String> {
    let (sources, types) = types_of(text, options);
    types.diagnostics.iter().map(|d| show(&sources, d)).collect()
}

/// The codes of what is said about statements behind some declarations.
fn codes(declarations: &str, statements: &str, options: TypeOptions) -> Vec<&'static str> {
    let text = format!("{declarations}\nactive proctype P() {{ {statements} }}");
    let (_, types) = types_of(&text, options);
    let errors = types.diagnostics.iter().filter(|d| d.severity == Severity::Error);
    errors.map(|d| d.code).collect()
}

fn type_of(text: &str, name: &str) -> String {
    let (_, types) = types_of(text, TypeOptions::default());
    let channel = types.channels.iter().find(|channel| channel.name == name);
    channel.unwrap_or_else(|| panic!("no channel {name}")).text.clone()
}

#[test]
fn t0_the_base_model_has_no_errors_and_recursive_types() {
    for options in [TypeOptions::default(), STRICT, STRICT_PID] {
        assert_eq!(messages(BASE, options), Vec::<String>::new());
    }
    for name in ["server", "null", "talk", "listen", "me", "helper", "client", "helpers"] {
        assert_eq!(type_of(BASE, name), "mu X.chan{mtype,X}", "{name}");
    }
    assert_eq!(type_of(BASE, "pool"), "chan{mu X.chan{mtype,X}}");
}

#[test]
fn t1_a_run_with_too_few_arguments() {
    let text = BASE.replace("run Helper(free, client)", "run Helper(free)");
    let (sources, parsed) = read(&text);
    assert!(parsed.model.is_none());
    let lines: Vec<String> = parsed.diagnostics.iter().map(|d| show(&sources, d)).collect();
    assert_eq!(lines, ["error EP1309 41:36 proctype `Helper` takes 2 arguments, not 1"]);
}

#[test]
fn t2_a_channel_where_a_name_is_sent_elsewhere() {
    let text = BASE.replace("talk!hold(listen)", "talk!listen(hold)");
    let lines = messages(&text, TypeOptions::default());
    assert_eq!(lines.len(), 1, "{lines:#?}");
    let line = &lines[0];
    assert!(line.starts_with("error EP1502 8:6 "), "{line}");
    // Both places: the send, and a declaration of what arrives there.
    assert!(line.contains("chan{") && line.contains("mtype"), "{line}");
    assert!(line.contains("declared with mtype"), "{line}");
}

#[test]
fn t3_a_message_that_is_too_short() {
    let text = BASE.replace("talk!grant(listen)", "talk!grant");
    let lines = messages(&text, TypeOptions::default());
    assert_eq!(lines.len(), 1, "{lines:#?}");
    let line = &lines[0];
    assert!(line.starts_with("error EP1501 10:6 "), "{line}");
    assert!(line.contains("{mtype}") && line.contains("{mtype,mu X.chan{mtype,X}}"), "{line}");
}

#[test]
fn t4_a_channel_that_carries_itself() {
    let text = "chan a = [1] of { chan, bit }; active proctype P() { a!a,0 }";
    assert_eq!(messages(text, STRICT), Vec::<String>::new());
    assert_eq!(type_of(text, "a"), "mu X.chan{X,bit}");
}

/// A third spelling, `chan mu X.{chan X,bit}`, is a unit test of the type graph.
#[test]
fn t5_equal_types_have_one_spelling() {
    let twice = "chan a = [1] of { chan, bit }; chan b = [1] of { chan, bit };
                 active proctype P() { a!b,0; b!a,0 }";
    assert_eq!(type_of(twice, "a"), "mu X.chan{X,bit}");
    assert_eq!(type_of(twice, "b"), "mu X.chan{X,bit}");
    let thrice = "chan a = [1] of { chan, bit }; chan b = [1] of { chan, bit };
                  chan c = [1] of { chan, bit };
                  active proctype P() { a!b,0; b!c,0; c!b,1 }";
    assert_eq!(type_of(thrice, "a"), "mu X.chan{X,bit}");
}

#[test]
fn t6_names_are_no_numbers() {
    let declarations = "mtype = { x, y }; mtype a, b, c;";
    for options in [TypeOptions::default(), STRICT] {
        assert_eq!(codes(declarations, "a = b + c", options)[0], "EP1506");
        assert_eq!(codes(declarations, "a", options), ["EP1506"]);
        assert_eq!(codes(declarations, "!a", options), ["EP1506"]);
        assert_eq!(codes(declarations, "a == x && b", options), ["EP1506"]);
        assert_eq!(codes(declarations, "a < b", options), ["EP1506", "EP1506"]);
        assert_eq!(codes(declarations, "a = 3", options), ["EP1504"]);
        assert_eq!(codes(declarations, "a == x; a = y; c = a", options), [""; 0]);
    }
    // 0 is a variable before it has a name.
    assert_eq!(codes(declarations, "a == 0; a = 0", TypeOptions::default()), [""; 0]);
    assert_eq!(codes(declarations, "a == 0; a = 0", STRICT), ["EP1504", "EP1504"]);
    let sets = "mtype:f = { x, y }; mtype:g = { z }; mtype:f a; mtype:g b; mtype c;";
    for statement in ["a == b", "c == b", "a = c"] {
        let found = codes(sets, statement, TypeOptions::default());
        assert_eq!(found, ["EP1505"], "{statement}");
    }
}

#[test]
fn t7_ranges() {
    let declarations = "byte b; unsigned u : 12; short s; bool t; bit i; pid p; int n;";
    let strict = |statement: &str| codes(declarations, statement, STRICT);
    assert_eq!(strict("b = u"), ["EP1509"]);
    assert_eq!(strict("s = u"), [""; 0]);
    assert_eq!(strict("t = i"), [""; 0]);
    assert_eq!(strict("b = t"), ["EP1507"]);
    assert_eq!(strict("t = b"), ["EP1507"]);
    assert_eq!(strict("p = b"), [""; 0]);
    assert_eq!(codes(declarations, "p = b", STRICT_PID), ["EP1508"]);
    assert_eq!(codes(declarations, "p = _pid; p = 3; p == _pid", STRICT_PID), [""; 0]);
    // Growth by arithmetic alone is accepted.
    assert_eq!(strict("b = b + 1; b = b - 1; b = u % 200; b = u & 7"), [""; 0]);
    assert_eq!(strict("s = n"), ["EP1509"]);
    // By default nothing is an error here; values that are really too large are warned about.
    let relaxed = |statement: &str| {
        let text = format!("{declarations}\nactive proctype P() {{ {statement} }}");
        messages(&text, TypeOptions::default())
    };
    assert_eq!(relaxed("t = b; b = t"), Vec::<String>::new());
    assert_eq!(relaxed("u = 200; b = u"), Vec::<String>::new());
    let lines = relaxed("u = 300; b = u");
    assert_eq!(
        lines,
        ["warning EP1509 2:36 this value may be cut off: values from 0 to 300 (short) into byte, \
          which has 0 to 255 (1:6 declared as byte)"]
    );
}

#[test]
fn t8_misuse_is_reported_with_both_places() {
    let all = [
        (
            "chan c = [1] of { byte };\nactive proctype P() {\n byte x, y;\n c?x,y }",
            "error EP1501 4:2 messages of different lengths on the same channel: 2 fields of type \
             {byte,byte} and 1 field of type {byte} [{byte,byte} here] (1:6 declared with {byte})",
        ),
        (
            "mtype = { m };\nchan c = [1] of { byte };\nactive proctype P() {\n c?eval(m) }",
            "error EP1502 4:9 the pattern does not fit the channel: mtype and byte [mtype here] \
             (2:6 byte here)",
        ),
        (
            "chan c[2] = [1] of { chan };\nchan d = [1] of { byte };\n\
             chan e = [1] of { byte, byte };\nactive proctype P() {\n c[0]!d;\n c[1]!e }",
            "error EP1501 6:2 messages of different lengths on the same channel: 2 fields of type \
             {byte,byte} and 1 field of type {byte} [this makes them one] (3:6 declared with \
             {byte,byte}) (2:6 declared with {byte}) (5:2 a message of `c[0]` here)",
        ),
        (
            "chan q = [1] of { byte };\nchan a = [1] of { chan };\nchan b = [1] of { chan }; \
             chan w = [1] of { byte, byte };\n\
             active proctype P() { a!q }\n\
             active proctype Q() { chan x; a?x; b!x }\n\
             active proctype R() { chan y; b?y; run S(y) }\n\
             proctype S(chan z) { z!1,2 }",
            "error EP1501 7:22 messages of different lengths on the same channel: 2 fields of type \
             {bit,byte} and 1 field of type {byte} [{bit,byte} here] (1:6 declared with {byte}) \
             (4:23 a message of `a` here) (5:31 a message of `a` here) (5:36 a message of `b` \
             here) (6:31 a message of `b` here) (6:42 passed to `z` of S here)",
        ),
    ];
    for (text, expected) in all {
        assert_eq!(messages(text, TypeOptions::default()), [expected]);
    }
}

#[test]
fn values_and_channels_do_not_mix() {
    let declarations = "chan q = [1] of { byte }; chan c; byte b;";
    let error = |statement: &str| codes(declarations, statement, TypeOptions::default());
    for statement in ["q", "q + 1 == 2", "q == 7", "assert(q)"] {
        assert_eq!(error(statement), ["EP1503"], "{statement}");
    }
    assert_eq!(error("c = q; c == q; c!1; b = len(c)"), [""; 0]);
}

#[test]
fn structures_stand_for_their_fields() {
    let declarations = "typedef M { byte a; chan c; bit b[2] }; M m, n;
        chan q = [1] of { M }; chan r = [1] of { byte }; mtype = { x };
        chan wide = [1] of { M, M };";
    let error = |statement: &str| codes(declarations, statement, TypeOptions::default());
    assert_eq!(error("q!m; q?n; m.c = r; q!1,r,0,1; n.c!5"), [""; 0]);
    assert_eq!(error("q!m; q?n; m.c = r; n.c!x"), ["EP1502"]);
    assert_eq!(error("q!m,1"), ["EP1501"]);
}

#[test]
fn statements_of_an_inline_are_complained_about_once() {
    let text = "chan c = [1] of { byte }; chan w = [1] of { int, int };\n\
                inline put(v) { c!v,v }\n\
                active proctype P() { put(1); put(2) }";
    let lines = messages(text, TypeOptions::default());
    assert_eq!(lines.len(), 1, "{lines:#?}");
}

#[test]
fn claims_and_traces_are_looked_at() {
    let text = "mtype = { m }; mtype a; chan c = [1] of { mtype, byte };
        active proctype P() { byte x; a = m; c!m,1; c?_,x }
        ltl p { [] (a == 1) }
        trace { do :: c!m,_ :: c?m od }";
    let lines = messages(text, TypeOptions::default());
    assert_eq!(lines.len(), 1, "{lines:#?}");
    assert!(lines[0].contains("EP1504 3:21"), "{lines:#?}");
}

/// Models that mix types on purpose, to see what SPIN does then.
const DELIBERATE: &[(&str, &str)] = &[
    ("m73-mtype-numbering.pml", "asserts the numbers of symbolic names"),
    ("trap-11a-mtype-backwards.pml", "asserts the numbers of symbolic names"),
    ("trap-11b-mtype-subtypes.pml", "asserts the numbers of symbolic names"),
    ("trap-19-local-channel-numbering.pml", "asserts the numbers of channels"),
];

#[test]
fn no_false_error_on_real_models() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let mut folders = vec![
        root.join("examples"),
        root.join("tests/models"),
        // Beside the checkout, or not there.
        root.join("../shared/corpus"),
    ];
    let mut files: Vec<PathBuf> = Vec::new();
    while let Some(folder) = folders.pop() {
        let Ok(entries) = std::fs::read_dir(folder) else { continue };
        for path in entries.map(|entry| entry.unwrap().path()) {
            let extension = path.extension().unwrap_or_default().to_string_lossy().into_owned();
            match extension.as_str() {
                _ if path.is_dir() => folders.push(path),
                "pml" | "pm" => files.push(path),
                _ => {}
            }
        }
    }
    let mut seen = 0;
    let mut mixed = Vec::new();
    for path in &files {
        let text = String::from_utf8_lossy(&std::fs::read(path).unwrap()).into_owned();
        let (sources, parsed) = read_as(&path.to_string_lossy(), &text);
        let Some(model) = parsed.model else { continue };
        seen += 1;
        let name = path.file_name().unwrap().to_string_lossy().into_owned();
        let types = infer(&model, TypeOptions::default());
        let errors: Vec<String> =
            types.diagnostics.iter().filter(|d| d.is_error()).map(|d| show(&sources, d)).collect();
        if DELIBERATE.iter().any(|(deliberate, _)| *deliberate == name) {
            assert!(!errors.is_empty(), "{name} mixes types on purpose");
            mixed.push(name);
        } else {
            assert!(errors.is_empty(), "{name}: {errors:#?}");
        }
    }
    assert!(seen > 150, "only {seen} models were read");
    assert_eq!(mixed.len(), DELIBERATE.len());
}
