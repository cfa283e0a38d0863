//! Temporal properties on the command line.

mod project;

use everypath_engine_explicit::emptiness::Method;
use everypath_model::Rng;
use everypath_property::ltl::{Formulas, Spelling, parse};
use everypath_property::vacuity::{Part, parts};
use project::Project;
use serde_json::Value;

const LABELS: &str = "byte x;
active proctype P() {
again:
  x = 1 - x;
  if
  :: goto again
  :: true
  fi;
progress:
  x = 0;
  goto again
}
active proctype Q() {
accept:
  (x == 3)
}
";
const CLAIM: &str = "byte x;
active proctype P() { do :: x < 3 -> x++ :: x == 3 -> x = 0 od }
never { do :: x == LIMIT -> break :: else od }
";
const REST: &str = "byte x;
active proctype P() { x = 1; x == 2 }
";

fn codes(model: &str, args: &[&str]) -> (i32, String) {
    let project = Project::new(&[("m.pml", model)]);
    let run = project.run(&[&["check", "--no-save", "m.pml"], args].concat());
    (run.code, run.out)
}

#[test]
fn labels_claims_and_formulas_have_verdicts() {
    for (model, args, code, said) in [
        (LABELS, &["--only", "progress", "--cycles", "progress"][..], 1, "EP0202"),
        (LABELS, &["--only", "accept", "--cycles", "accept"], 1, "EP0203"),
        (LABELS, &["--only", "formula", "--ltl", "G F x=0"], 2, "EP1701"),
        (LABELS, &["--only", "formula", "--ltl", "F G (x == 0)"], 1, "EP0201"),
        (LABELS, &["--only", "formula", "--ltl", "G F (x == 0)", "--fair", "weak"], 0, "holds"),
        (CLAIM, &["--only", "never", "-D", "LIMIT=3"], 1, "EP0204"),
        (CLAIM, &["--only", "never", "-D", "LIMIT=4"], 0, "holds"),
        (REST, &["--only", "formula", "--ltl", "<> (x == 2)"], 1, "by a standstill"),
        (REST, &["--only", "formula", "--ltl", "<>[] (x == 1)"], 0, "holds"),
    ] {
        let (exit, out) = codes(model, args);
        assert_eq!(exit, code, "{args:?}\n{out}");
        assert!(out.contains(said), "{args:?}\n{out}");
    }
}

const COUNTER: &str = "byte x, y;
active proctype P() { do :: x < 3 -> x++ :: x == 3 -> x = 0 od }
ltl answer { [] ((x == 4) -> <> (y == 1)) }
ltl either { [] ((x < 4) || (y == 0)) }
ltl always { [] ((x < 4) -> <> (x < 4)) }
ltl fine { [] ((x == 1) -> <> (x == 2)) }
";

#[test]
fn formulas_that_say_nothing_are_told() {
    let (exit, out) = codes(COUNTER, &[]);
    assert_eq!(exit, 0, "{out}");
    for said in [
        "note: `(x == 4)` never becomes true, so `<>(y == 1)` is never asked for",
        "note: `(x < 4)` does not matter: `[](y == 0)` holds as well",
        "note: `(y == 0)` does not matter: `[](x < 4)` holds as well",
        "note: it holds in every model",
        "ltl fine         trigger reached at step 2, so not vacuous",
    ] {
        assert!(out.contains(said), "{said}\n{out}");
    }
    // That a condition is not needed is told to those who want to know.
    assert!(!out.contains("is not needed"), "{out}");
    let (_, out) = codes(COUNTER, &["-v", "--only", "fine"]);
    assert!(out.contains("note: `(x == 1)` is not needed: `[]<>(x == 2)` holds as well"), "{out}");
    for (only, code) in [("answer", 1), ("either", 1), ("always", 1), ("fine", 0)] {
        let (exit, out) = codes(COUNTER, &["--only", only, "--deny", "vacuity"]);
        assert_eq!(exit, code, "{only}\n{out}");
        assert_eq!(out.contains("EP1625"), code == 1, "{out}");
    }
    let (_, out) = codes(COUNTER, &["--only", "answer", "--format", "sarif"]);
    let log: Value = serde_json::from_str(&out).unwrap();
    let result = &log["runs"][0]["results"][0];
    assert_eq!((&result["ruleId"], &result["level"]), (&"EP1625".into(), &"note".into()), "{out}");
    let (_, out) = codes(COUNTER, &["--only", "answer", "--format", "junit"]);
    assert!(out.contains("ltl answer is vacuous") && out.contains("failures=\"0\""), "{out}");
}

/// A formula over the conditions of a small model, in which a part may well not matter.
fn random_formula(rng: &mut Rng, depth: usize) -> String {
    if depth == 0 {
        let conditions = ["(x == 0)", "(x == 1)", "(x < 3)", "(x == 7)", "(y == 0)", "(y == 1)"];
        return conditions[rng.below(conditions.len())].to_owned();
    }
    let mut below = || random_formula(rng, depth - 1);
    let (a, b) = (below(), below());
    match rng.below(6) {
        0 => format!("[] {a}"),
        1 => format!("<> {a}"),
        2 => format!("({a} || {b})"),
        3 => format!("({a} && {b})"),
        4 => format!("({a} U {b})"),
        _ => format!("[] ({a} -> {b})"),
    }
}

/// What is told about parts is what checks of the stronger formulas, each by itself, say.
#[test]
fn parts_matter_if_the_formula_is_violated_without_them() {
    let mut rng = Rng::new(3);
    let model = "byte x, y;
active proctype P() { do :: x = (x + 1) % 3 :: x == 2 -> y = 1 - y od }
active proctype Q() { y == 1; y = 0 }
";
    let project = Project::new(&[("m.pml", model)]);
    let check = |formula: &str| -> Value {
        let args = ["check", "--no-save", "m.pml", "--only", "formula", "--format", "json"];
        let run = project.run(&[&args[..], &["--fair", "weak", "--ltl", formula]].concat());
        let document: Value = serde_json::from_str(&run.out).expect("a document");
        document["properties"][0].clone()
    };
    let (mut held, mut idle) = (0, 0);
    for _ in 0..60 {
        let text = random_formula(&mut rng, 2);
        let property = check(&text);
        if property["verdict"] != "holds" {
            continue;
        }
        held += 1;
        let told: Vec<&str> = property["vacuity"].as_array().map_or(Vec::new(), |parts| {
            parts.iter().map(|part| part["formula"].as_str().unwrap()).collect()
        });
        if property["vacuity"][0]["kind"] == "tautology" {
            continue;
        }
        let mut formulas = Formulas::new();
        let formula = parse(&mut formulas, &text).expect("a formula");
        let mut expected: Vec<Part> = Vec::new();
        for part in parts(&mut formulas, formula, usize::MAX) {
            let inside = expected.iter().any(|other| part.lies_in(other));
            let stronger = formulas.show(part.stronger, Spelling::Spin);
            if !inside && check(&stronger)["verdict"] == "holds" {
                expected.push(part);
            }
        }
        // As formulas of one table, since the order of parts may differ.
        let mut told: Vec<_> =
            told.into_iter().map(|text| parse(&mut formulas, text).expect("a formula")).collect();
        let mut expected: Vec<_> = expected.iter().map(|part| part.stronger).collect();
        expected.sort();
        told.sort();
        assert_eq!(told, expected, "{text}");
        idle += told.len();
    }
    assert!(held > 10 && idle > 10, "{held} {idle}");
}

#[test]
fn every_method_finds_what_there_is() {
    let cases = [
        (LABELS, &["--only", "formula", "--ltl", "F G (x == 0)"][..], 1),
        (LABELS, &["--only", "formula", "--ltl", "G F (x == 0)"], 0),
        (LABELS, &["--only", "formula", "--ltl", "F G (x == 0) || F G (x == 1)"], 1),
        (LABELS, &["--only", "formula", "--ltl", "F G (x == 1)", "--fair", "weak"], 1),
        (CLAIM, &["--only", "never", "-D", "LIMIT=3"], 1),
    ];
    for method in Method::ALL {
        for (model, args, code) in cases {
            let args = [args, &["--emptiness", method.name(), "--format", "json"]].concat();
            let (exit, out) = codes(model, &args);
            let result: Value = serde_json::from_str(&out).expect("a document");
            let property = &result["properties"][0];
            if property["reason"] == "unsupported" {
                assert_eq!((method, exit), (Method::Tau03, 3), "{args:?}\n{out}");
                continue;
            }
            assert_eq!(exit, code, "{args:?}\n{out}");
            let product = &property["product"];
            assert_eq!(product["method"], method.name());
            for count in ["states", "transitions", "stack"] {
                assert!(product[count].as_u64() > Some(0), "{count}: {product}");
            }
        }
    }
}

/// One server answers whatever comes first; of three, one may keep a request unless all are treated fairly.
#[test]
fn e4_a_request_is_answered_by_one_server_or_under_fairness() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../xtask/bench/ltl/servers.pml");
    let model = std::fs::read_to_string(path).expect("a model");
    let methods = Method::ALL.map(Method::name);
    for (servers, fairness, code) in
        [("1", "none", 0), ("1", "weak", 0), ("3", "none", 1), ("3", "weak", 0)]
    {
        let mut general = 0;
        for method in methods.into_iter().chain(["ufscc"]) {
            let define = format!("SERVERS={servers}");
            let args =
                ["--only", "answered", "--format", "json", "--fair", fairness, "-D", &define];
            let (exit, out) = codes(&model, &[&args[..], &["--emptiness", method]].concat());
            assert_eq!(exit, code, "{servers} servers, {fairness}, {method}\n{out}");
            let result: Value = serde_json::from_str(&out).expect("a document");
            let states = result["properties"][0]["product"]["states"].as_u64().expect("a count");
            if method == "cou99" {
                general = states;
            }
            // Whoever has to remember marks never looks at less of what holds.
            assert!(code == 1 || states >= general, "{servers} {fairness} {method}: {states}");
            assert_eq!(
                code == 0 && states > general,
                code == 0 && fairness == "weak" && single(method)
            );
        }
    }
}

/// Whether a method takes one mark alone.
fn single(method: &str) -> bool {
    Method::ALL.iter().any(|one| one.name() == method && !one.is_general())
}

#[test]
fn threads_look_for_runs_together() {
    let formula = ["--only", "formula", "--format", "json", "--ltl"];
    for (text, code) in [("G F (x == 0)", 0), ("F G (x == 0) || F G (x == 1)", 1)] {
        for (more, method) in [
            (&[][..], "cou99"),
            (&["-j", "1"][..], "cou99"),
            (&["-j", "2"][..], "cou99"),
            (&["-j", "3", "--fair", "weak"][..], "ufscc"),
            (&["--emptiness", "ufscc"][..], "ufscc"),
            (&["-j", "2", "--emptiness", "se05"][..], "se05"),
        ] {
            let (exit, out) = codes(LABELS, &[&formula[..], &[text], more].concat());
            assert_eq!(exit, code, "{more:?}\n{out}");
            let result: Value = serde_json::from_str(&out).expect("a document");
            assert_eq!(result["properties"][0]["product"]["method"], method, "{more:?}\n{out}");
        }
    }
    let (exit, out) =
        codes(LABELS, &["--only", "accept,progress", "--cycles", "accept,progress", "-j", "2"]);
    assert!(exit == 1 && out.contains("EP0202") && out.contains("EP0203"), "{out}");
}

/// Three that count, each at its own pace and with a variable that nobody needs, and one that waits.
const COUNTING: &str = "byte n[3];
bool over;
active [3] proctype Count() {
  byte spare;
  do
  :: n[_pid] < 7 -> spare = 1 - spare; n[_pid]++
  :: n[_pid] == 7 -> n[_pid] = 0
  od
}
active proctype Last() { (n[0] == 5 && n[1] == 5); do :: over = !over od }
ltl settled { [] (over -> <> !over) }
ltl bounded { [] (n[0] < 8) }
ltl waits { [] !over }
ltl stays { <> (n[2] == 3) }
ltl settles { <> [] over }
";

/// What is large is searched once, on the smaller model; what is found is a run of the whole one.
#[test]
fn large_products_are_searched_once() {
    for (formula, code) in [("settled", 1), ("bounded", 0), ("waits", 1), ("stays", 1)] {
        let mut states = 0;
        for more in [
            &["--reduce", "none", "-j", "1"][..],
            &["--reduce", "none", "-j", "2"],
            &["--reduce", "none", "-j", "3"],
            &["-j", "1"],
            &["-j", "2"],
            &["-j", "1", "--exec", "interp"],
        ] {
            for method in ["auto", "weak"] {
                let args = ["--only", formula, "--format", "json", "--emptiness", method];
                let (exit, out) = codes(COUNTING, &[&args[..], more].concat());
                assert_eq!(exit, code, "{formula} {method} {more:?}\n{out}");
                let result: Value = serde_json::from_str(&out).expect("a document");
                let product = &result["properties"][0]["product"];
                if method == "weak" {
                    assert_eq!(product["method"], "weak", "{formula} {more:?}");
                }
                if code == 1 {
                    continue;
                }
                assert_eq!(product["method"], "weak", "{formula} {more:?}");
                let whole = more.contains(&"none");
                assert_eq!(product["reductions"].is_null(), whole, "{product}");
                let count = product["states"].as_u64().expect("a count");
                if whole && states == 0 {
                    states = count;
                }
                assert_eq!(count == states, whole, "{formula} {more:?}: {count} of {states}");
            }
        }
    }
    // What a lossy store finds is there; what it does not find may be.
    for store in ["bitstate", "compact"] {
        for (formula, code) in
            [("settled", 1), ("bounded", 3), ("waits", 1), ("stays", 1), ("settles", 3)]
        {
            for reduce in ["none", "default"] {
                let args = ["--only", formula, "--store", store, "--reduce", reduce];
                let (exit, out) = codes(COUNTING, &args);
                assert_eq!(exit, code, "{formula} {store} {reduce}\n{out}");
                let said = match formula {
                    "bounded" => "no violation found",
                    "settles" => "a lossy store is enough for one search only",
                    _ => "EP0201",
                };
                assert!(out.contains(said), "{formula} {store} {reduce}\n{out}");
            }
        }
    }
    let (exit, out) =
        codes(COUNTING, &["--only", "waits", "--store", "bitstate", "--emptiness", "se05"]);
    assert_eq!((exit, out.as_str()), (2, ""));
    let (exit, out) = codes(COUNTING, &["--only", "settles", "--emptiness", "weak"]);
    assert!(exit == 3 && out.contains("not weak"), "{out}");
    let (exit, out) =
        codes(COUNTING, &["--only", "stays", "--emptiness", "weak", "--fair", "weak"]);
    assert!(exit == 3 && out.contains("no search for runs that are fair"), "{out}");
}

#[test]
fn a_method_has_a_name_and_a_use() {
    let (exit, out) = codes(LABELS, &["--emptiness", "cou98"]);
    assert_eq!((exit, out.as_str()), (2, ""));
    let project = Project::new(&[
        ("m.pml", LABELS),
        ("everypath.toml", "[check]\nemptiness = \"se05\"\ncycles = [\"progress\"]\n"),
    ]);
    let run = project.run(&["check", "--no-save", "m.pml", "--format", "json"]);
    assert!(run.out.contains("\"se05\""), "{}", run.out);
    let run = project.run(&["check", "--no-save", "m.pml", "--emptiness", "cou98"]);
    assert!(run.err.contains("cou98") && run.err.contains("tau03opt"), "{}", run.err);
    let run = project.run(&["check", "m.pml", "--search", "random", "--emptiness", "gv04"]);
    assert!(run.code == 2 && run.err.contains("--emptiness has no use here"), "{}", run.err);
}

const RETRY: &str = "mtype = { ACK, NAK };
chan rsp = [1] of { mtype };
bool waiting;
active proctype Client() { do :: waiting = true; if :: rsp?ACK; waiting = false :: rsp?NAK fi od }
active proctype Server() {
  do
  :: waiting;
     if
     :: rsp!ACK
     :: rsp!NAK
     fi;
     empty(rsp)
  od
}
ltl answered { [] (waiting -> <> !waiting) }
";

#[test]
fn strong_fairness_makes_choices_in_turn() {
    for (fair, code) in [("none", 1), ("weak", 1), ("strong", 0)] {
        let (exit, out) = codes(RETRY, &["--only", "answered", "--fair", fair]);
        assert_eq!(exit, code, "{fair}\n{out}");
        assert!(out.contains(&format!("{} fairness assumed", fair.replace("none", "no"))), "{out}");
        if fair != "strong" {
            assert!(out.contains("strong on the choice at line 9 -> holds"), "{out}");
        }
    }
    let (exit, out) = codes(RETRY, &["--only", "answered", "--fair-choice", "9"]);
    assert_eq!(exit, 0, "{out}");
    assert!(out.contains("strong fairness on choice 9"), "{out}");
    // The choice of the client does not help.
    let (exit, out) = codes(RETRY, &["--only", "answered", "--fair-choice", "4"]);
    assert_eq!(exit, 1, "{out}");
    assert!(out.contains("strong fairness on choice 4"), "{out}");
    for wrong in [&["--fair-choice", "1"][..], &["--fair-choice", "9", "--fair", "weak"]] {
        let (exit, out) = codes(RETRY, wrong);
        assert_eq!(exit, 2, "{out}");
    }
    // A process that is left out is what weak fairness is about.
    let idle = "byte x, y;
active proctype P() { do :: x = 1 - x od }
active proctype Q() { y = 1 }
ltl comes { <> (y == 1) }
ltl not { []<> (x == 2) }
";
    let (_, out) = codes(idle, &["--only", "comes"]);
    assert!(out.contains("none -> violated | weak -> holds"), "{out}");
    let (_, out) = codes(idle, &["--only", "not"]);
    assert!(out.contains("none -> violated | weak -> violated | strong -> violated"), "{out}");
}

/// The report without what differs from run to run.
fn report(args: &[&str], model: &str) -> String {
    let (_, out) = codes(model, args);
    let lines = out.lines().filter(|line| !line.trim_start().starts_with("searched:"));
    lines.map(|line| format!("{line}\n")).collect()
}

#[test]
fn runs_that_go_on_for_ever_fit_the_width() {
    for (name, columns) in [("80", "--columns=80"), ("120", "--columns=120")] {
        let plain = report(&["--only", "answered", columns], RETRY);
        insta::assert_snapshot!(format!("lasso_{name}"), plain);
        let ascii = report(&["--only", "answered", columns, "--ascii"], RETRY);
        assert!(ascii.is_ascii(), "{ascii}");
        let width: usize = name.parse().unwrap();
        // Only the headline is never broken.
        assert!(plain.lines().skip(1).all(|line| line.chars().count() <= width), "{plain}");
    }
    let stuck = "chan q = [1] of { byte };
active proctype P() { q?1 }
ltl ends { <> (len(q) == 1) }
";
    insta::assert_snapshot!("standstill", report(&["--only", "ends", "--ascii"], stuck));
}

const MOVERS: &str = "byte x, y;
active proctype P() { do :: x = 1 - x od }
active proctype Q() { do :: y = 1 - y od }
";
const STEPS: &str = "byte x; active proctype P() { x = 1; x = 2 }
";

/// What claims ask of processes is asked of no process in particular.
#[test]
fn claims_ask_about_processes() {
    for (model, claim, code) in [
        (MOVERS, "do :: enabled(0) -> goto accept :: true od; accept: do :: enabled(0) od", 1),
        (MOVERS, "do :: !enabled(0) -> break :: else od", 0),
        (MOVERS, "do :: enabled(1) && _last == 1 -> break :: else od", 1),
        (MOVERS, "do :: enabled(2) -> break :: else od", 0),
        (STEPS, "do :: x == 2 && _last == 0 && enabled(0) -> break :: else od", 1),
        (STEPS, "do :: x == 1 && !enabled(0) -> break :: else od", 0),
    ] {
        for reductions in ["default", "none"] {
            let model = format!("{model}never {{ {claim} }}\n");
            let (exit, out) = codes(&model, &["--only", "never", "--reduce", reductions]);
            assert_eq!(exit, code, "{claim}\n{out}");
        }
    }
}

/// Where an end label stands, a claim is at its end; on a guard it means the place behind it.
#[test]
fn claims_end_at_end_labels() {
    for (claim, code) in [
        ("x == 0; x == 1; end: x == 5", 1),
        ("end: x == 5", 1),
        ("x == 1; end: x == 5", 0),
        ("x == 0; goto end; x == 0; end: x == 5", 1),
        ("do :: x < 2 :: end: x == 2 -> x == 7 od", 1),
        ("do :: x < 2 :: x == 3 -> endless: x == 7 od", 0),
        ("do :: true :: accept: x == 2 od", 1),
        ("do :: x < 2 :: accept: x == 1 od", 0),
    ] {
        let model = format!("{STEPS}never {{ {claim} }}\n");
        let (exit, out) = codes(&model, &["--only", "never"]);
        assert_eq!(exit, code, "{claim}\n{out}");
    }
}

/// SPIN sees an accept label on the last statement of an atomic sequence, and no other one in it.
#[test]
fn accept_labels_end_atomic_sequences() {
    for (body, code) in [
        ("do :: atomic { x = 1; accept: x = 0 } od", 1),
        ("do :: atomic { x = 1; { x = 2; accept: x = 0 } } od", 1),
        ("do :: atomic { x = 1; accept: x = 2; x = 0 } od", 0),
        ("do :: atomic { x = 1; if :: x == 1 -> accept: x = 0 fi } od", 0),
        ("do :: atomic { x = 1; accept: goto L }; L: x = 0 od", 0),
        ("do :: d_step { x = 1; accept: x = 0 } od", 0),
        // At the beginning of an option a label means the place behind the guard.
        ("do :: accept: atomic { x = 1; x = 0 } od", 1),
        ("do :: accept: atomic { x = 1; x = 2; x = 0 } od", 0),
        ("do :: x == 0 -> if :: accept: atomic { x = 1; x = 0 } :: x == 5 fi od", 1),
        ("atomic { x = 1; accept: x = 0 }", 0),
        ("atomic { x = 1; accept: x = 0 }; do :: x = 1 - x od", 0),
    ] {
        let model = format!("byte x; active proctype P() {{ {body} }}\n");
        let (exit, out) = codes(&model, &["--only", "accept", "--cycles", "accept"]);
        assert_eq!(exit, code, "{body}\n{out}");
    }
    let rendezvous = "chan c = [0] of { byte }; byte x;
active proctype P() { do :: atomic { x = 1; accept: c ! 1 } od }
active proctype Q() { do :: c ? _ od }
";
    let (exit, out) = codes(rendezvous, &["--only", "accept", "--cycles", "accept"]);
    assert_eq!(exit, 1, "{out}");
}

/// A block that is no formula is a property of which nothing is known; the others have their verdicts.
#[test]
fn one_bad_formula_does_not_block_the_others() {
    let model = format!(
        "{STEPS}ltl bad {{ [] x == 0 }}\nltl worse {{ [] (x == }}\nltl good {{ <> (x == 1) }}\n"
    );
    let (exit, out) = codes(&model, &[]);
    assert_eq!(exit, 3, "{out}");
    for line in
        ["holds    ltl good", "unknown  ltl bad", "unknown  ltl worse", "holds    no deadlock"]
    {
        assert!(out.contains(line), "{line}\n{out}");
    }
    let (exit, out) = codes(&model, &["--only", "good"]);
    assert_eq!(exit, 0, "{out}");
    // A violation is one all the same.
    let (exit, out) = codes(&model, &["--ltl", "[] (x == 0)"]);
    assert_eq!(exit, 1, "{out}");
    // Who asks for the block itself is told where it is wrong.
    let line = 1 + model.lines().position(|line| line.contains("ltl bad")).expect("a line");
    for only in ["bad", "good,bad"] {
        let project = Project::new(&[("m.pml", &model)]);
        let run = project.run(&["check", "m.pml", "--only", only]);
        assert_eq!(run.code, 2, "{}{}", run.out, run.err);
        let said = format!("{}{}", run.out, run.err);
        assert!(said.contains(&format!("--> m.pml:{line}:")), "{said}");
        assert!(said.contains("error["), "{said}");
    }
}

/// A step without end is no proof of anything, whatever else goes on.
#[test]
fn endless_steps_are_no_proof() {
    let model = "byte x;
active proctype P() { do :: skip od }
active proctype Q() { atomic { do :: true od } }
";
    for reductions in ["default", "none", "stubborn", "ample", "merge", "constants,slice,dead"] {
        let (exit, out) = codes(model, &["--reduce", reductions]);
        assert_eq!(exit, 3, "{reductions}\n{out}");
        assert!(out.contains("was left out"), "{out}");
        let (exit, out) = codes(model, &["--reduce", reductions, "--ltl", "[] (x == 0)"]);
        assert_eq!(exit, 3, "{reductions}\n{out}");
    }
}

/// What a run does behind a fault in an initial value nobody knows; the fault itself can be run again.
#[test]
fn nothing_holds_behind_a_fault_in_an_initial_value() {
    let model = "byte a[2], k = 3; active proctype P() { byte l = a[k] }\n";
    let (exit, out) = codes(model, &["--only", "formula", "--ltl", "[] (k == 4)"]);
    assert_eq!(exit, 3, "{out}");
    let project = Project::new(&[("m.pml", model)]);
    let run = project.run(&["check", "m.pml"]);
    assert_eq!(run.code, 1, "{}", run.out);
    let again = project.run(&["replay", "last"]);
    assert!(again.out.contains("the violation is still there"), "{}", again.out);
}
