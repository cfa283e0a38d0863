//! Automata are read back as they are written, and SPIN reads and writes the same claims.

use std::process::Command;

use everypath_model::Rng;
use everypath_property::ltl::{Expressions, Formulas, Spelling, parse, parse_with, random};
use everypath_property::tgba::{self, Automaton};
use everypath_property::words::Lasso;
use everypath_property::{hoa, never, picture};
use everypath_testkit::needs;

fn formulas(atoms: usize) -> Formulas {
    let mut formulas = Formulas::new();
    for name in ["a", "b", "c"].iter().take(atoms) {
        formulas.atom(name);
    }
    formulas
}

/// The word with the bits of other atoms.
fn renamed(word: &Lasso, from: &[String], to: &[String]) -> Lasso {
    let letter = |letter: &u64| {
        let holds = |name: &String| {
            from.iter().position(|n| n == name).is_some_and(|i| letter >> i & 1 == 1)
        };
        to.iter().enumerate().map(|(i, name)| u64::from(holds(name)) << i).sum()
    };
    Lasso {
        stem: word.stem.iter().map(letter).collect(),
        cycle: word.cycle.iter().map(letter).collect(),
    }
}

fn same_words(rng: &mut Rng, left: &Automaton, right: &Automaton, what: &str) {
    for _ in 0..20 {
        let word = Lasso::random(rng, left.atoms.len(), 4, 4);
        let other = renamed(&word, &left.atoms, &right.atoms);
        assert_eq!(tgba::accepts(left, &word), tgba::accepts(right, &other), "{what} on {word:?}");
    }
}

#[test]
fn hoa_and_never_claims_are_read_back() {
    for case in 0..400 {
        let mut rng = Rng::new(case);
        let mut formulas = formulas(3);
        let size = rng.below(10);
        let formula = random::formula(&mut formulas, &mut rng, 3, size);
        let text = formulas.show(formula, Spelling::Any);
        let best = tgba::best(&mut formulas, formula).expect("small");
        let written = hoa::write(&best, &text);
        let again = hoa::read(&written).unwrap_or_else(|error| panic!("{error}:\n{written}"));
        assert_eq!(again.size(), best.size(), "{written}");
        assert_eq!(hoa::write(&again, &text), written);
        same_words(&mut rng, &best, &again, &text);
        let buchi = tgba::buchi(&best);
        let written = hoa::write(&buchi, "");
        assert_eq!(hoa::write(&hoa::read(&written).expect("ours"), ""), written);
        let claim = never::write(&buchi, &text);
        let again = never::read(&claim).unwrap_or_else(|error| panic!("{error}:\n{claim}"));
        same_words(&mut rng, &buchi, &again, &claim);
        let picture = picture::svg(&best, &text).expect("small");
        assert!(picture.matches("<circle class=\"state\"").count() == best.len());
        assert!(picture::dot(&best, "").matches("->").count() == best.edge_count() + 1);
    }
}

/// Whether SPIN is there; the script of the tests says which tests need it.
#[test]
fn claims_of_spin_accept_the_same_words() {
    if !needs::program("spin") {
        return;
    }
    let mut compared = 0;
    for case in 0..60 {
        let mut rng = Rng::new(case + 5_000);
        let mut formulas = formulas(3);
        let size = 1 + rng.below(6);
        let formula = random::formula(&mut formulas, &mut rng, 3, size);
        // The usual build of SPIN has no X, and `spin -f` no W.
        if !formulas.is_next_free(formula) {
            continue;
        }
        let text = formulas.show(formula, Spelling::Spin);
        if text.contains('W') {
            continue;
        }
        let output = Command::new("spin").args(["-f", &text]).output().expect("spin runs");
        let claim = String::from_utf8_lossy(&output.stdout).into_owned();
        let theirs = never::read(&claim).unwrap_or_else(|error| panic!("{error}: {text}\n{claim}"));
        let ours = tgba::best(&mut formulas, formula).expect("small");
        same_words(&mut rng, &ours, &theirs, &text);
        compared += 1;
    }
    assert!(compared > 15, "{compared}");
}

/// Without parentheses, SPIN groups as its spelling does here.
#[test]
fn spin_groups_as_we_read_it() {
    if !needs::program("spin") {
        return;
    }
    for text in [
        "a U b U c",
        "a V b U c",
        "a -> b -> c",
        "a <-> b -> c",
        "a -> b <-> c",
        "a && b U c",
        "a U b && c || a",
        "!a U b",
        "[]a U b",
        "<>a -> []b U c",
        "a || b && c -> <>a",
    ] {
        let mut formulas = formulas(3);
        let formula = parse_with(&mut formulas, text, Spelling::Spin, &Expressions).expect(text);
        let ours = tgba::best(&mut formulas, formula).expect("small");
        let output = Command::new("spin").args(["-f", text]).output().expect("spin runs");
        let theirs = never::read(&String::from_utf8_lossy(&output.stdout)).expect(text);
        for seed in 0..30 {
            same_words(&mut Rng::new(seed), &ours, &theirs, text);
        }
    }
}

#[test]
fn spin_takes_our_claims() {
    if !needs::program("spin") {
        return;
    }
    let folder = std::env::temp_dir().join(format!("everypath-never-{}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("writable");
    for (index, text) in [
        "[](p -> <>q)",
        "p U q",
        "[]<>p && []<>q",
        "<>[]p",
        "!(p U (q && (x > 3)))",
        "false",
        "true",
    ]
    .iter()
    .enumerate()
    {
        let mut formulas = Formulas::new();
        let formula = parse(&mut formulas, text).expect(text);
        let best = tgba::best(&mut formulas, formula).expect("small");
        let claim = never::write(&tgba::buchi(&best), text);
        let model = format!("bool p, q; byte x; active proctype P() {{ p = 1; q = 1 }}\n{claim}");
        let file = folder.join(format!("m{index}.pml"));
        std::fs::write(&file, model).expect("writable");
        let output = Command::new("spin")
            .arg("-a")
            .arg(&file)
            .current_dir(&folder)
            .output()
            .expect("spin runs");
        let said = String::from_utf8_lossy(&output.stdout).into_owned();
        assert!(output.status.success() && !said.contains("rror"), "{claim}\n{said}");
    }
    std::fs::remove_dir_all(&folder).expect("ours");
}

#[test]
fn hoa_of_others_is_read() {
    let text = r#"
HOA: v1 /* a /* nested */ comment */
tool: "other" "1.0" name: "two initial states, aliases, implicit labels"
AP: 2 "p" "q q"
Alias: @both 0 & 1
Alias: @none !0&!@both
acc-name: generalized-Buchi 2
Acceptance: 3 Inf(2)&(Inf(0))
properties: implicit-labels
Start: 0
Start: 1
--BODY--
State: 0 "first" {2}
  [@both | @none] 1 {0}
  [t] 0
State: [0] 1
  1 {0 2}
State: 2
  0 1 2 2
--END--
"#;
    let automaton = hoa::read(text).unwrap_or_else(|error| panic!("{error}"));
    assert_eq!(automaton.atoms, ["p", "q q"]);
    assert_eq!((automaton.len(), automaton.marks, automaton.edge_count()), (4, 2, 10));
    // Only p from the second initial state on.
    assert!(tgba::accepts(&automaton, &Lasso { stem: vec![], cycle: vec![1] }));
    assert!(!tgba::accepts(&automaton, &Lasso { stem: vec![], cycle: vec![2] }));
}

#[test]
fn errors_name_the_place() {
    for (text, at, message) in [
        ("", "", "expected `HOA: v1` at the beginning, found the end of the text"),
        ("HOA: v2", "v2", "expected the version v1, found `v2`"),
        ("HOA: v1 States: 99999999", "99999999", "more than 1000000 states"),
        ("HOA: v1 Start: 0&1", "&", "alternating automata are not supported"),
        ("HOA: v1 AP: 1 \"p", "\"", "the text is never closed"),
        ("HOA: v1 AP: 2 \"p\" \"p\"", "\"p\"", "\"p\" is there already"),
        ("HOA: v1 Strange: 3", "Strange:", "`Strange:` is not known, and must not be ignored"),
        (
            "HOA: v1 Acceptance: 1 Fin(0) --BODY--",
            "Fin",
            "the condition is not a generalized Büchi condition",
        ),
        ("HOA: v1 Acceptance: 1 Inf(3)", "3", "there are only 1 sets"),
        ("HOA: v1 --BODY--", "--BODY--", "`Acceptance:` is missing"),
        ("HOA: v1 Acceptance: 0 t --BODY-- State: 0 [5] 0", "5", "there are only 0 propositions"),
        ("HOA: v1 Acceptance: 0 t --BODY-- State: 0 State: 0", "0", "state 0 is there already"),
        (
            "HOA: v1 States: 1 Start: 4 Acceptance: 0 t --BODY-- --END--",
            "4",
            "there are only 1 states",
        ),
        (
            "HOA: v1 Acceptance: 0 t --BODY-- State: 0",
            "",
            "expected `State:` or `--END--`, found the end of the text",
        ),
        (
            "HOA: v1 Acceptance: 0 t --BODY-- --ABORT--",
            "--ABORT--",
            "the automaton was aborted by its writer",
        ),
        ("HOA: v1 % ", "%", "`%` has no meaning in HOA"),
        ("HOA: v1 /* ", "/* ", "the comment is never closed"),
    ] {
        let error = hoa::read(text).expect_err(text);
        assert_eq!(error.message, message, "{text}");
        assert_eq!(&text[error.place.clone()], at, "{text}");
    }
    for (text, at, message) in [
        ("", "", "expected `never`, found the end"),
        ("never { T: if :: (p) -> goto X fi }", "X", "there is no label `X`"),
        (
            "never { T: do :: (p U q) -> goto T od }",
            "(p U q) ",
            "a condition of a claim has no temporal operators",
        ),
        ("never { T: do :: (p -> goto T od }", "(", "`(` is never closed"),
        ("never { T: do (p) od }", "(", "expected `::`, found `(p) od }`"),
        ("never { T: }", "", "a label without a statement"),
    ] {
        let error = never::read(text).expect_err(text);
        assert_eq!(error.message, message, "{text}");
        assert_eq!(text[error.place.clone()].trim(), at.trim(), "{text}");
    }
}

/// Cut, doubled and mixed texts give errors, never a panic.
#[test]
fn broken_texts_are_refused() {
    let mut formulas = formulas(3);
    let formula = parse(&mut formulas, "[](a -> <>b) && []<>c").expect("ours");
    let best = tgba::best(&mut formulas, formula).expect("small");
    let texts = [
        hoa::write(&best, "x"),
        never::write(&tgba::buchi(&best), "x"),
        "[](a -> (x > 3)) U <>\"b\"".to_owned(),
    ];
    for case in 0..3_000 {
        let mut rng = Rng::new(case);
        let mut bytes: Vec<char> = rng.pick(&texts).chars().collect();
        for _ in 0..1 + rng.below(4) {
            let at = rng.below(bytes.len().max(1));
            match rng.below(3) {
                0 => bytes.truncate(at),
                1 if !bytes.is_empty() => {
                    bytes.remove(at);
                }
                _ => bytes.insert(
                    at.min(bytes.len()),
                    *rng.pick(&['(', '[', '{', '!', '9', '@', '"', '-', '\u{e4}', '0']),
                ),
            }
        }
        let text: String = bytes.into_iter().collect();
        for place in
            [hoa::read(&text).err(), never::read(&text).err(), parse(&mut formulas, &text).err()]
                .into_iter()
                .flatten()
                .map(|error| error.place)
        {
            assert!(text.get(place.clone()).is_some(), "{place:?} in {text}");
        }
    }
}
