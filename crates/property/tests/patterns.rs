//! The formulas of patterns and scopes mean what the parts of a word say, and the cases of the
//! literature come out as they should.

use everypath_model::Rng;
use everypath_property::ltl::{Formula, Formulas, Spelling};
use everypath_property::patterns::{
    Composite, Pattern, Property, Role, Roles, Scope, Set, Trace, intervals, suite,
};
use everypath_property::tgba;
use everypath_property::words::{Lasso, satisfies};

const ALPHABET: [char; 5] = ['P', 'S', 'T', 'Q', 'R'];

fn bit(role: char) -> Option<u32> {
    ALPHABET.iter().position(|&c| c == role).map(|bit| bit as u32)
}

fn build(property: Property) -> (Formulas, Formula) {
    let mut formulas = Formulas::new();
    let roles = Roles::letters(&mut formulas);
    let formula = property.formula(&mut formulas, &roles);
    (formulas, formula)
}

fn property(pattern: Pattern, scope: Scope, set: Set) -> Property {
    Property { pattern, scope, set }
}

/// The properties whose formulas differ from the parts of a word, as published.
fn is_wrong(property: Property) -> bool {
    let Property { pattern, scope, set } = property;
    match set {
        Set::ProspecPrinted => pattern == Pattern::Absence && scope.has_r(),
        Set::Sps => pattern == Pattern::Precedence && scope == Scope::After,
        _ => false,
    }
}

fn all() -> impl Iterator<Item = Property> {
    Pattern::ALL.into_iter().flat_map(|pattern| {
        Scope::ALL.into_iter().flat_map(move |scope| {
            Set::ALL.into_iter().map(move |set| property(pattern, scope, set))
        })
    })
}

/// `L3 P6 (RT)9` as a trace of 21 states; L is our Q and T our S.
fn run(text: &str) -> Trace {
    let mut states = vec![std::collections::BTreeSet::new(); 21];
    let renamed = |c: char| match c {
        'L' => 'Q',
        'T' => 'S',
        other => other,
    };
    for word in text.split_whitespace() {
        let digits = word.find(|c: char| c.is_ascii_digit()).expect("a place");
        let (letters, places) = word.split_at(digits);
        for place in places.split(',') {
            let place: usize = place.parse().expect("a number");
            states[place].extend(letters.chars().filter(|c| c.is_alphabetic()).map(renamed));
        }
    }
    Trace { states }
}

/// Whether the formula of a property accepts a run: by the evaluator and by the automaton.
fn valid(property: Property, text: &str) -> bool {
    let (mut formulas, formula) = build(property);
    let word = run(text).word(&ALPHABET);
    let found = satisfies(&formulas, formula, &word);
    let automaton = tgba::best(&mut formulas, formula).expect("small");
    assert_eq!(tgba::accepts(&automaton, &word), found, "{property:?} {text}");
    found
}

fn check(property: Property, cases: &[(&str, bool)]) {
    for &(text, expected) in cases {
        assert_eq!(valid(property, text), expected, "{property:?} {text}");
    }
}

#[test]
fn oracle_3_3_formulas_mean_the_intervals_on_random_words() {
    for property in all() {
        let (formulas, formula) = build(property);
        let mut differs = 0;
        for seed in 0..600 {
            let mut rng = Rng::new(seed);
            let mut word = Lasso::random(&mut rng, 5, 6, 5);
            // Sparse words have longer parts.
            if seed % 2 == 0 {
                for letter in word.stem.iter_mut().chain(&mut word.cycle) {
                    *letter &= rng.next_u64();
                }
            }
            let expected = intervals::satisfied(property, &word, &bit);
            let found = satisfies(&formulas, formula, &word);
            differs += u32::from(expected != found);
            assert!(
                expected == found || is_wrong(property),
                "{property:?} {}: {word:?}",
                formulas.show(formula, Spelling::Any)
            );
        }
        assert_eq!(differs > 0, is_wrong(property), "{property:?}");
    }
}

#[test]
fn oracle_3_3_formulas_mean_the_intervals_on_all_short_words() {
    // Two roles at a time keep the words few: P with S, and P with Q and R.
    for property in all().filter(|p| !is_wrong(*p) && !p.pattern.has_t()) {
        let (formulas, formula) = build(property);
        let mut roles = vec!['P'];
        roles.extend(property.pattern.has_s().then_some('S'));
        roles.extend(property.scope.has_q().then_some('Q'));
        roles.extend(property.scope.has_r().then_some('R'));
        let most = if roles.len() <= 2 { 4 } else { 3 };
        let letters: Vec<u64> = (0..1u64 << roles.len())
            .map(|bits| {
                let each = roles.iter().enumerate();
                each.map(|(i, &role)| (bits >> i & 1) << bit(role).expect("a role")).sum()
            })
            .collect();
        for length in 1..=most {
            for cycle in 1..=length {
                for mut number in 0..letters.len().pow(length as u32) {
                    let mut word = Vec::new();
                    for _ in 0..length {
                        word.push(letters[number % letters.len()]);
                        number /= letters.len();
                    }
                    let (stem, cycle) = word.split_at(length - cycle);
                    let word = Lasso { stem: stem.to_vec(), cycle: cycle.to_vec() };
                    let expected = intervals::satisfied(property, &word, &bit);
                    assert_eq!(
                        satisfies(&formulas, formula, &word),
                        expected,
                        "{property:?} {word:?}"
                    );
                }
            }
        }
    }
}

#[test]
fn suite_3_6_generated_cases_pass() {
    let mut count = 0;
    for property in all().filter(|p| !is_wrong(*p)) {
        let (mut formulas, formula) = build(property);
        let automaton = tgba::best(&mut formulas, formula).expect("small");
        let cases = suite(property);
        let (mut good, mut bad) = (0, 0);
        for case in cases.iter().step_by(if property.pattern.has_t() { 7 } else { 1 }) {
            let word = case.trace.word(&ALPHABET);
            assert_eq!(
                satisfies(&formulas, formula, &word),
                case.expected,
                "{property:?} {}",
                case.trace
            );
            assert_eq!(
                tgba::accepts(&automaton, &word),
                case.expected,
                "{property:?} {}",
                case.trace
            );
            if case.expected {
                good += 1
            } else {
                bad += 1
            }
            count += 1;
        }
        assert!(good > 0 && bad > 0, "{property:?}: {good} {bad}");
    }
    assert!(count > 10_000, "{count}");
}

#[test]
fn oracle_4_1_absence_before() {
    let cases = [
        ("R0", true),
        ("RP0", true),
        ("R0 P6", true),
        ("R20", true),
        ("RP20", true),
        ("R8", true),
        ("RP8", true),
        ("R5,14 P9", true),
        ("", true),
        ("P4,9", true),
        ("P6 R20", false),
        ("P5 R12", false),
        ("R5 P12", true),
    ];
    for set in [Set::Prospec, Set::Sps] {
        check(property(Pattern::Absence, Scope::Before, set), &cases);
    }
    // The printed formula goes wrong on exactly three of them.
    let printed = property(Pattern::Absence, Scope::Before, Set::ProspecPrinted);
    for (text, expected) in cases {
        assert_eq!(valid(printed, text), expected && !text.starts_with("RP"), "{text}");
    }
}

#[test]
fn oracle_4_2_precedence_between() {
    let plain = property(Pattern::Precedence, Scope::Between, Set::Prospec);
    let strict = property(Pattern::StrictPrecedence, Scope::Between, Set::Prospec);
    let outermost = property(Pattern::Precedence, Scope::Between, Set::Outermost);
    let cases = [
        ("P5 R10", true),
        ("LRP4", true),
        ("L4 P9", true),
        ("", true),
        ("R3 P7 L12", true),
        ("L0 P5 R10", false),
        ("L0 T5 R10", true),
        ("L0 P4 T7 R11", false),
        ("L0 RP9", true),
        ("L0 R6 P9", true),
        ("P3 L8 R20", true),
        ("L8 RP20", true),
        ("L8 P12 R20", false),
        ("L8 P11 T14 R20", false),
        ("L8 T12 R20", true),
        ("L2 R5 L8 P11 R15", false),
        ("L2 R5 P8 L11 R15", true),
        ("L2 L6 P10 R15", false),
        ("L2 P6 L10 R15", false),
        ("L2 L5 R8 P11 R15", true),
        ("L2 T5 L8 P11 R15", false),
        ("L0 T4 P6 R12", true),
        ("LT0 P6 R12", true),
        ("L5 T9 P12 R20", true),
        ("L3 T7 P11 R15", true),
        ("L0 T2 P4 R6 L9 R12 L14 P16 R19", false),
        ("L0 T2 P3 R4 L6 T7 P9 R11 L13 P15", true),
    ];
    check(plain, &cases);
    check(strict, &cases);
    check(property(Pattern::Precedence, Scope::Between, Set::Sps), &cases);
    assert!(valid(plain, "L0 PT5 R10") && !valid(strict, "L0 PT5 R10"));
    assert!(valid(outermost, "L2 T5 L8 P11 R15"));
}

#[test]
fn oracle_4_3_failed_tests_of_the_paper() {
    let absent = |scope, set| property(Pattern::Absence, scope, set);
    for (scope, text) in
        [(Scope::Before, "PR5"), (Scope::Between, "L5 PR16"), (Scope::AfterUntil, "L5,12 PR16")]
    {
        assert!(!valid(absent(scope, Set::ProspecPrinted), text), "{text}");
        assert!(valid(absent(scope, Set::Prospec), text), "{text}");
    }
    assert!(!valid(property(Pattern::Existence, Scope::Between, Set::Sps), "L5,12 P9 R16"));
    for scope in [Scope::Between, Scope::AfterUntil] {
        assert!(!valid(property(Pattern::Existence, scope, Set::Sps), "L2,10 P6 R17"));
        assert!(!valid(property(Pattern::Precedence, scope, Set::Sps), "L2,10 T6 P13 R17"));
    }
    for (scope, text) in [
        (Scope::Global, "PT5"),
        (Scope::Before, "PT5 R8"),
        (Scope::After, "PT5 L2"),
        (Scope::Between, "PT5 L2 R9"),
        (Scope::AfterUntil, "PT5 L2 R20"),
    ] {
        assert!(valid(property(Pattern::Response, scope, Set::Sps), text), "{text}");
        assert!(!valid(property(Pattern::StrictResponse, scope, Set::Prospec), text), "{text}");
    }
    check(absent(Scope::After, Set::Prospec), &[("P5 L6", true), ("LP6", false), ("L5 P6", false)]);
}

#[test]
fn oracle_4_4_sets_are_equivalent_but_for_the_known_ones() {
    for pattern in Pattern::ALL {
        for scope in Scope::ALL {
            let mut formulas = Formulas::new();
            let roles = Roles::letters(&mut formulas);
            let mut formula = |set| property(pattern, scope, set).formula(&mut formulas, &roles);
            let (ours, sps) = (formula(Set::Prospec), formula(Set::Sps));
            let printed = formula(Set::ProspecPrinted);
            let same = tgba::equivalent(&mut formulas, ours, sps).expect("small");
            let different = pattern == Pattern::Precedence && scope == Scope::After;
            assert_eq!(same, !different, "{pattern:?} {scope:?}");
            let same = tgba::equivalent(&mut formulas, ours, printed).expect("small");
            assert_eq!(
                same,
                !(pattern == Pattern::Absence && scope.has_r()),
                "{pattern:?} {scope:?}"
            );
        }
    }
    // Q and P together, then Q and S for ever: the first Q has no S before its P.
    let word = Lasso {
        stem: vec![1 << bit('P').expect("a role") | 1 << bit('Q').expect("a role")],
        cycle: vec![1 << bit('Q').expect("a role")],
    };
    let answer = |set| {
        let (formulas, formula) = build(property(Pattern::Precedence, Scope::After, set));
        satisfies(&formulas, formula, &word)
    };
    assert!(answer(Set::Sps) && !answer(Set::Prospec));
}

#[test]
fn oracle_4_5_the_sample_test_case() {
    assert!(!valid(property(Pattern::Absence, Scope::Between, Set::Prospec), "L3 P6 R9"));
    assert!(valid(property(Pattern::Existence, Scope::Between, Set::Prospec), "L3 P6 R9"));
}

#[test]
fn feature_outermost_parts() {
    let nested = "L2 T5 L8 P11 R15";
    for scope in [Scope::Between, Scope::AfterUntil] {
        assert!(!valid(property(Pattern::Precedence, scope, Set::Prospec), nested));
        assert!(valid(property(Pattern::Precedence, scope, Set::Outermost), nested));
    }
}

#[test]
fn feature_trace_notation() {
    let trace = Trace::parse("--L--(PT)-R").expect("a trace");
    assert_eq!(trace.states.len(), 8);
    assert_eq!(trace.to_string(), "--L--(PT)-R");
    assert_eq!(trace.word(&['L', 'P', 'R']).stem, [0, 0, 1, 0, 0, 2, 0]);
    assert!(trace.promela().contains("#define T (i == 5)"));
    for (text, column) in [("", 1), ("-(P", 2), ("-)", 2), ("-()", 3), ("-P#", 3)] {
        assert_eq!(Trace::parse(text).expect_err(text).column, column, "{text}");
    }
}

#[test]
fn feature_english_for_every_property() {
    let name = |role: char| format!("<{role}>");
    for property in all() {
        let sentence = property.english(&name);
        assert!(sentence.ends_with('.') && sentence.contains("<P>"), "{sentence}");
        assert_eq!(sentence.contains("<Q>"), property.scope.has_q(), "{sentence}");
        assert_eq!(sentence.contains("<R>"), property.scope.has_r(), "{sentence}");
        assert_eq!(sentence.contains("<S>"), property.pattern.has_s(), "{sentence}");
        assert_eq!(sentence.contains("<T>"), property.pattern.has_t(), "{sentence}");
        assert_eq!(Pattern::of_name(property.pattern.name()), Some(property.pattern));
        assert_eq!(Scope::of_name(property.scope.name()), Some(property.scope));
    }
}

/// Composites against a direct reading of their definitions on random words.
#[test]
fn feature_composite_propositions() {
    let mut formulas = Formulas::new();
    let parts: Vec<Formula> = ["a", "b", "c"].iter().map(|name| formulas.atom(name)).collect();
    let last = formulas.atom("last");
    // The place where the composite that begins at `i` is complete, if it does.
    let complete = |name: &str, word: &Lasso, i: usize| -> Option<usize> {
        let holds = |part: usize, at: usize| word.letter(at) >> part & 1 == 1;
        let none = |from: usize, at: usize| (from..3).all(|part| !holds(part, at));
        let limit = i + 60;
        let all = |at: usize| (0..3).all(|part| holds(part, at));
        let events = name.ends_with('E');
        let start = match events {
            true if !none(0, i) => return None,
            true => (i..limit).find(|&at| !none(0, at))?,
            false => i,
        };
        let alone = |part: usize, at: usize| holds(part, at) && (!events || none(part + 1, at));
        match &name[..name.len() - 1] {
            "atLeastOne" => (0..3).any(|part| holds(part, start)).then_some(start),
            "parallel" => all(start).then_some(start),
            "consecutive" => (0..3).all(|part| alone(part, start + part)).then_some(start + 2),
            _ => {
                let mut at = start;
                alone(0, at).then_some(())?;
                for part in 1..3 {
                    // Events wait where they are, conditions from the next state on.
                    let from = if events { at } else { at + 1 };
                    at = (from..limit).find(|&next| match events {
                        true => !none(part, next),
                        false => holds(part, next),
                    })?;
                    alone(part, at).then_some(())?;
                }
                Some(at)
            }
        }
    };
    for kind in ["atLeastOne", "parallel", "consecutive", "eventual"] {
        for letter in ["C", "E"] {
            let name = format!("{kind}{letter}");
            let composite = Composite::of_name(&name, parts.clone()).expect("a kind");
            let plain = composite.formula(&mut formulas);
            let with_last = composite.with_last(&mut formulas, last);
            let mut seen = 0;
            for seed in 0..4_000 {
                let mut rng = Rng::new(seed);
                let mut word = Lasso::random(&mut rng, 4, 6, 4);
                for state in word.stem.iter_mut().chain(&mut word.cycle) {
                    if rng.chance(50) {
                        *state &= rng.next_u64();
                    }
                }
                let place = complete(&name, &word, 0);
                seen += u32::from(place.is_some());
                assert_eq!(satisfies(&formulas, plain, &word), place.is_some(), "{name} {word:?}");
                let ends = place.is_some_and(|at| word.letter(at) >> 3 & 1 == 1);
                assert_eq!(satisfies(&formulas, with_last, &word), ends, "{name} {word:?}");
            }
            assert!(seen > 5, "{name}: {seen}");
        }
    }
    assert!(Composite::of_name("eventual", parts.clone()).is_none());
    assert!(Composite::of_name("parallelC", Vec::new()).is_none());
}

/// A part that a sequence opens begins where the sequence is complete.
#[test]
fn feature_composite_delimiters() {
    let mut formulas = Formulas::new();
    let [a, b, p, r] = ["a", "b", "p", "r"].map(|name| formulas.atom(name));
    let q = Composite::of_name("eventualC", vec![a, b]).expect("a kind");
    let mut roles = Roles::letters(&mut formulas);
    roles.p = Role::Formula(p);
    roles.q = Role::Composite(q);
    roles.r = Role::Formula(r);
    for (scope, cases) in [
        // Letters: a 1, b 2, p 4, r 8.
        (Scope::After, [(vec![1, 4, 2, 0], true), (vec![1, 0, 6, 0], false), (vec![4, 4], true)]),
        (
            Scope::Between,
            [(vec![1, 2, 4, 8, 0], false), (vec![1, 2, 4, 0], true), (vec![1, 4, 2, 8, 4], true)],
        ),
        (
            Scope::AfterUntil,
            [(vec![1, 2, 4, 0], false), (vec![1, 2, 8, 4], true), (vec![1, 4, 0], true)],
        ),
    ] {
        let formula =
            property(Pattern::Absence, scope, Set::Prospec).formula(&mut formulas, &roles);
        for (letters, expected) in cases {
            let word = Lasso::resting(letters.clone());
            assert_eq!(satisfies(&formulas, formula, &word), expected, "{scope:?} {letters:?}");
        }
    }
}

/// A composite counts where it begins if it is complete before the scope ends.
#[test]
fn feature_composites_lie_inside_of_the_scope() {
    const NAMES: [&str; 6] =
        ["eventualC", "consecutiveC", "parallelC", "eventualE", "consecutiveE", "atLeastOneC"];
    let property_of = |number: u64| {
        let pattern = [
            Pattern::Absence,
            Pattern::Existence,
            Pattern::Bounded(2),
            Pattern::Universality,
            Pattern::Precedence,
            Pattern::Response,
            Pattern::StrictResponse,
        ][number as usize % 7];
        let scope = [Scope::Before, Scope::Between, Scope::AfterUntil][number as usize / 7 % 3];
        property(pattern, scope, Set::Prospec)
    };
    for number in 0..21 {
        let property = property_of(number);
        for name in NAMES {
            let mut formulas = Formulas::new();
            // In the order of the alphabet of the other tests, then the parts.
            let mut roles = Roles::letters(&mut formulas);
            let parts: Vec<Formula> = ["a", "b"].iter().map(|part| formulas.atom(part)).collect();
            let composite = Composite::of_name(name, parts).expect("a kind");
            roles.p = Role::Composite(composite.clone());
            let formula = property.formula(&mut formulas, &roles);
            for seed in 0..300 {
                let mut rng = Rng::new(seed * 31 + number);
                let mut word = Lasso::random(&mut rng, 7, 6, 5);
                for letter in word.stem.iter_mut().chain(&mut word.cycle) {
                    *letter &= rng.next_u64() | 0b110_0000;
                }
                // The same word with P where the composite is found.
                let found = |at: usize| {
                    let close = (at..at + 40).find(|&i| word.letter(i) >> 4 & 1 == 1);
                    let end = complete(name, &word, at);
                    end.is_some_and(|end| close.is_none_or(|close| end < close))
                };
                let marked = |from: usize, letters: &[u64]| -> Vec<u64> {
                    let letters = letters.iter().enumerate();
                    letters.map(|(i, &l)| l & !1 | u64::from(found(from + i))).collect()
                };
                let expected = Lasso {
                    stem: marked(0, &word.stem),
                    cycle: marked(word.stem.len(), &word.cycle),
                };
                assert_eq!(
                    satisfies(&formulas, formula, &word),
                    intervals::satisfied(property, &expected, &bit),
                    "{property:?} {name} {word:?}"
                );
            }
        }
    }
}

/// Where a composite of the bits 5 and 6 that begins at a position is complete.
fn complete(name: &str, word: &Lasso, at: usize) -> Option<usize> {
    let a = |i: usize| word.letter(i) >> 5 & 1 == 1;
    let b = |i: usize| word.letter(i) >> 6 & 1 == 1;
    let limit = at + 40;
    let start = match name.ends_with('E') {
        true if a(at) || b(at) => return None,
        true => (at..limit).find(|&i| a(i) || b(i))?,
        false => at,
    };
    match name {
        "atLeastOneC" => (a(start) || b(start)).then_some(start),
        "parallelC" => (a(start) && b(start)).then_some(start),
        "consecutiveC" => (a(start) && b(start + 1)).then_some(start + 1),
        "consecutiveE" => (a(start) && !b(start) && b(start + 1)).then_some(start + 1),
        "eventualC" => a(start).then(|| (start + 1..limit).find(|&i| b(i))).flatten(),
        _ => (a(start) && !b(start)).then(|| (start..limit).find(|&i| b(i))).flatten(),
    }
}
