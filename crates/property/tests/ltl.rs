//! Formulas: how they are read, and that what their shape is said to show is so.

use everypath_model::Rng;
use everypath_property::ltl::{
    AtomReader, Class, Expressions, Formulas, Read, Spelling, parse, parse_with, random,
};
use everypath_property::tgba::{self, Strength};
use everypath_property::words::{Lasso, satisfies, truth};

/// The formula as it is read in a spelling, written in ours.
fn read(text: &str, spelling: Spelling) -> String {
    let mut formulas = Formulas::new();
    match parse_with(&mut formulas, text, spelling, &Expressions) {
        Ok(formula) => formulas.show(formula, Spelling::Any),
        Err(error) => format!("{}: {}", error.place.start, error.message),
    }
}

#[test]
fn spellings_are_understood() {
    for (text, expected) in [
        ("[] <> p", "[]<>p"),
        ("G F p", "[]<>p"),
        ("always eventually p", "[]<>p"),
        ("p until q", "p U q"),
        ("p weakuntil q", "p W q"),
        ("p V q", "p R q"),
        ("p releases q", "p R q"),
        ("p M q", "p M q"),
        ("!p & q | r", "(!p && q) || r"),
        ("p /\\ q \\/ ~r", "(p && q) || !r"),
        ("p implies q", "p -> q"),
        ("p <-> q", "p <-> q"),
        ("p xor q", "p xor q"),
        ("X p U q", "X p U q"),
        ("p U q && r", "(p U q) && r"),
        ("p && q U r", "p && (q U r)"),
        ("1 U p", "<>p"),
        ("0 R p", "[]p"),
        ("TRUE", "true"),
        ("\"a b\" U \"G\"", "\"a b\" U \"G\""),
        ("(x > 3) U P[1]@L", "(x > 3) U P[1]@L"),
        ("x > 3 U y == 2 + 1", "(x > 3) U (y == 2 + 1)"),
        ("[] (x > 3)", "[](x > 3)"),
        ("(a + b) * 2 < c -> d", "((a + b) * 2 < c) -> d"),
        ("len(q) == 0", "(len(q) == 0)"),
        ("(p)", "p"),
        ("p -> q -> r", "7: tools disagree on how this is grouped"),
        ("p U q W r", "6: tools disagree on how this is grouped"),
        ("[] x == 0", "3: an operator in front of a comparison without parentheses"),
        ("! x > 2", "2: an operator in front of a comparison without parentheses"),
        ("p &&", "4: expected a formula, found the end"),
        ("p q", "2: expected an operator or the end of the formula, found `q`"),
        ("p)", "1: `)` closes nothing"),
        ("U p", "0: expected a formula, found `U`"),
    ] {
        assert_eq!(read(text, Spelling::Any), expected, "{text}");
    }
}

#[test]
fn tools_group_in_their_own_way() {
    for (text, spin, spot, nusmv) in [
        ("a U b U c", "(a U b) U c", "a U (b U c)", "(a U b) U c"),
        ("a -> b -> c", "(a -> b) -> c", "a -> (b -> c)", "a -> (b -> c)"),
        ("a <-> b -> c", "(a <-> b) -> c", "a <-> (b -> c)", "(a <-> b) -> c"),
        ("a -> b <-> c", "(a -> b) <-> c", "a -> (b <-> c)", "a -> (b <-> c)"),
    ] {
        for (spelling, grouped) in
            [(Spelling::Spin, spin), (Spelling::Spot, spot), (Spelling::Nusmv, nusmv)]
        {
            let mut formulas = Formulas::new();
            let found = parse_with(&mut formulas, text, spelling, &Expressions).expect(text);
            let expected = parse(&mut formulas, grouped).expect(grouped);
            assert_eq!(found, expected, "{spelling:?}: {text}");
        }
    }
}

#[test]
fn operators_of_one_tool_are_names_in_another() {
    for (text, spin, spot, nusmv) in [
        ("GFa", "GFa", "[]<>a", "GFa"),
        ("Xp1 U Fq", "Xp1 U Fq", "X p1 U <>q", "Xp1 U Fq"),
        ("a U T", "a U T", "a U T", "4: `T` is about the past, which is not supported"),
        (
            "a U not",
            "a U \"not\"",
            "7: expected a formula, found the end",
            "7: expected a formula, found the end",
        ),
        (
            "a U G",
            "a U \"G\"",
            "5: expected a formula, found the end",
            "5: expected a formula, found the end",
        ),
        (
            "a M b",
            "2: expected an operator or the end of the formula, found `M`",
            "a M b",
            "2: expected an operator or the end of the formula, found `M`",
        ),
    ] {
        assert_eq!(read(text, Spelling::Spin), spin, "spin: {text}");
        assert_eq!(read(text, Spelling::Spot), spot, "spot: {text}");
        assert_eq!(read(text, Spelling::Nusmv), nusmv, "nusmv: {text}");
    }
}

/// A language that reads its atoms by itself: everything between angle brackets.
struct Angles;

impl AtomReader for Angles {
    fn read(&self, text: &str, at: usize) -> Read {
        let Some(rest) = text[at..].strip_prefix('\u{ab}') else { return Read::Nothing };
        match rest.find('\u{bb}') {
            Some(end) => Read::Atom {
                end: at + '\u{ab}'.len_utf8() + end + '\u{bb}'.len_utf8(),
                text: rest[..end].to_owned(),
                open: false,
            },
            None => Read::Broken { at, message: "never closed".to_owned() },
        }
    }
}

#[test]
fn languages_read_their_own_atoms() {
    let mut formulas = Formulas::new();
    let text = "[] \u{ab}x is -> y\u{bb} U \u{ab}z\u{bb}";
    let formula = parse_with(&mut formulas, text, Spelling::Spin, &Angles).expect("ours");
    assert_eq!(formulas.show(formula, Spelling::Spot), "G \"x is -> y\" U z");
    let place = formulas.atoms()[0].place.clone().expect("a place");
    assert_eq!(&text[place], "\u{ab}x is -> y\u{bb}");
    let error = parse_with(&mut formulas, "\u{ab}x", Spelling::Spin, &Angles).expect_err("open");
    assert_eq!(error.message, "never closed");
    assert!(parse_with(&mut formulas, "p", Spelling::Spin, &Angles).is_err());
}

#[test]
fn known_formulas_become_smaller() {
    for (text, expected) in [
        ("a U (a U b)", "a U b"),
        ("<>(a U b)", "<>b"),
        ("[](a R b)", "[]b"),
        ("X []<> a", "[]<>a"),
        ("[]a && []b", "[](a && b)"),
        ("<>[]a && <>[]b", "<>[](a && b)"),
        ("(a || b) U b", "a U b"),
        ("a W (a && b)", "b R a"),
        ("a R (a || b)", "b W a"),
        ("(a U b) || []a", "a W b"),
        ("(a W b) && <>b", "a U b"),
        ("[]<>(a && <>b)", "[](<>b && <>a)"),
        ("a && !a", "false"),
        ("(a -> b) && a && !b", "a && !b && (b || !a)"),
        ("<>a || a", "<>a"),
        ("[]a -> a", "true"),
    ] {
        let mut formulas = Formulas::new();
        let formula = parse(&mut formulas, text).expect(text);
        let simple = formulas.simplify(formula);
        assert_eq!(formulas.show(simple, Spelling::Any), expected, "{text}");
    }
}

#[test]
fn classes_of_known_formulas() {
    for (text, class) in [
        ("a && X b", Class::Bounded),
        ("[](a -> X b)", Class::Safety),
        ("a W b", Class::Safety),
        ("a U b", Class::Guarantee),
        ("[]a || <>b", Class::Obligation),
        ("[](a -> <>b)", Class::Recurrence),
        ("<>[]a", Class::Persistence),
        ("[]<>a -> []<>b", Class::Reactivity),
    ] {
        let mut formulas = Formulas::new();
        let formula = parse(&mut formulas, text).expect(text);
        assert_eq!(formulas.classes(formula).class(), class, "{text}");
    }
}

/// What a class claims is so: by automata for safety, guarantee and obligation, by words for
/// eventual and universal formulas.
#[test]
fn classes_are_true() {
    let mut seen = [0; 5];
    for case in 0..1_500 {
        let mut rng = Rng::new(case);
        let mut formulas = Formulas::new();
        formulas.atom("a");
        formulas.atom("b");
        let size = 1 + rng.below(7);
        let formula = random::formula(&mut formulas, &mut rng, 2, size);
        let classes = formulas.classes(formula);
        let text = formulas.show(formula, Spelling::Any);
        let not = formulas.negation(formula);
        let dual = formulas.classes(not);
        assert_eq!(
            (classes.safety, classes.recurrence),
            (dual.guarantee, dual.persistence),
            "{text}"
        );
        if classes.obligation {
            let (yes, no) = (
                tgba::best(&mut formulas, formula).expect("small"),
                tgba::best(&mut formulas, not).expect("small"),
            );
            let weak = tgba::minimize_weak_checked(&yes, &no, 500);
            let weak = weak.unwrap_or_else(|| panic!("{text} is no obligation"));
            assert!(tgba::strength(&weak) <= Strength::Weak, "{text}");
            seen[2] += 1;
            if classes.safety {
                assert_eq!(tgba::strength(&weak), Strength::Safety, "{text}");
                seen[0] += 1;
            }
            if classes.guarantee {
                let weak = tgba::minimize_weak_checked(&no, &yes, 500).expect("its negation");
                assert_eq!(tgba::strength(&weak), Strength::Safety, "{text}");
                seen[1] += 1;
            }
        }
        for _ in 0..10 {
            let word = Lasso::random(&mut rng, 2, 4, 3);
            let truth = truth(&formulas, formula, &word);
            assert_eq!(truth[0], satisfies(&formulas, formula, &word));
            let later = truth.iter().skip(1).any(|&holds| holds);
            let ever_not = truth.iter().any(|&holds| !holds);
            if classes.eventual {
                assert!(truth[0] || !later, "{text} is not eventual: {word:?}");
                seen[3] += 1;
            }
            if classes.universal {
                assert!(!truth[0] || !ever_not, "{text} is not universal: {word:?}");
                seen[4] += 1;
            }
        }
    }
    assert!(seen.iter().all(|&count| count > 50), "{seen:?}");
}

/// Large formulas are simplified or refused in reasonable time and stack.
#[test]
fn large_formulas_end() {
    for case in 0..40 {
        let mut rng = Rng::new(case);
        let mut formulas = Formulas::new();
        let size = 40 + rng.below(160);
        let formula = random::formula(&mut formulas, &mut rng, 6, size);
        let simple = formulas.simplify(formula);
        let word = Lasso::random(&mut rng, formulas.atoms().len(), 5, 5);
        let same = satisfies(&formulas, formula, &word) == satisfies(&formulas, simple, &word);
        assert!(same, "case {case}");
    }
    let mut formulas = Formulas::new();
    let many: Vec<String> = (0..20_000).map(|i| format!("(a{i} U b{i})")).collect();
    let formula = parse(&mut formulas, &many.join(" && ")).expect("wide");
    let simple = formulas.simplify(formula);
    assert!(tgba::best(&mut formulas, simple).is_err());
    for deep in [
        format!("{}a", "X ".repeat(100_000)),
        format!("{}a{}", "(".repeat(10_000), ")".repeat(10_000)),
    ] {
        assert!(parse(&mut formulas, &deep).is_err());
    }
    // A chain of arrows is a deep formula as well.
    let chain = (0..10_000).map(|i| format!("a{i}")).collect::<Vec<_>>().join(" -> ");
    assert!(parse_with(&mut formulas, &chain, Spelling::Spot, &Expressions).is_err());
}
