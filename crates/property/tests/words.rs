//! Every automaton that a formula goes through accepts exactly the words that satisfy it, as the
//! evaluator on words says.

use everypath_model::Rng;
use everypath_property::ltl::{Formula, Formulas, Spelling, parse, random};
use everypath_property::tgba::{self, Automaton, Style};
use everypath_property::words::{Lasso, satisfies};

/// A tenth of the cases, or all.
fn share(all: u64) -> u64 {
    if std::env::var_os("EVERYPATH_ALL").is_some() { all } else { all / 10 }
}

/// Words that tell formulas apart: random ones.
fn words(rng: &mut Rng, atoms: usize, count: usize) -> Vec<Lasso> {
    (0..count).map(|_| Lasso::random(rng, atoms, 4, 4)).collect()
}

/// All automata between a formula and its smallest ones, with the name of the step.
fn stages(formulas: &mut Formulas, formula: Formula) -> Vec<(String, Automaton)> {
    let mut all: Vec<(String, Automaton)> = Vec::new();
    for style in Style::ALL {
        let raw = tgba::translate(formulas, formula, style).expect("small");
        let mut add = |name: &str, automaton: Automaton| {
            all.push((format!("{style:?} {name}"), automaton));
        };
        let pruned = tgba::prune(&raw);
        let clean = tgba::clean_marks(&pruned);
        add("raw", raw.clone());
        add("pruned", pruned);
        add("marks cleaned", clean.clone());
        add("raw forward", tgba::reduce_forward(&raw));
        add("raw backward", tgba::reduce_backward(&raw));
        add("forward", tgba::reduce_forward(&clean));
        add("backward", tgba::reduce_backward(&clean));
        add("transient merged", tgba::merge_transient(&raw));
        let reduced = tgba::reduce(&raw);
        add("complete", tgba::complete(&reduced));
        add("reduced", reduced.clone());
        for (name, from) in [("raw", &raw), ("reduced", &reduced)] {
            let one = tgba::degeneralize(from);
            assert!(one.marks <= 1);
            let states = tgba::to_state_based(from);
            assert!(states.marks <= 1 && states.is_state_based());
            let small = tgba::reduce_on_states(&states);
            assert!(small.is_state_based());
            add(&format!("{name} degeneralized"), one);
            add(&format!("{name} best on states"), tgba::buchi(from));
            add(&format!("{name} on states"), states);
            add(&format!("{name} on states, merged"), small);
        }
    }
    let best = tgba::best(formulas, formula).expect("small");
    if formulas.classes(formula).obligation {
        let weak = tgba::minimize_weak(&best, 1_000).expect("small");
        assert!(tgba::is_deterministic(&weak));
        assert!(tgba::strength(&weak) <= tgba::Strength::Weak);
        all.push(("weak".to_owned(), weak));
    }
    let not = formulas.not(formula);
    let other = tgba::automaton(formulas, not).expect("small");
    if let Some(weak) = tgba::minimize_weak_checked(&best, &other, 200) {
        all.push(("weak, checked".to_owned(), weak));
    }
    all.push(("best".to_owned(), best));
    all
}

/// Compares `count` random formulas on `each` words.
fn compare(seed: u64, count: u64, each: usize, size: usize) -> usize {
    let mut pairs = 0;
    for case in 0..count {
        let mut rng = Rng::new(seed.wrapping_mul(1_000_003).wrapping_add(case));
        let mut formulas = Formulas::new();
        // All atoms exist, so that letters have a bit for each.
        let atoms = 1 + rng.below(3);
        for name in ["a", "b", "c"].iter().take(atoms) {
            formulas.atom(name);
        }
        let length = 1 + rng.below(size);
        let formula = random::formula(&mut formulas, &mut rng, atoms, length);
        let text = formulas.show(formula, Spelling::Any);
        let simple = formulas.simplify(formula);
        let negation = formulas.negation(formula);
        let automata = stages(&mut formulas, formula);
        let negative = tgba::best(&mut formulas, negation).expect("small");
        let complement = automata.last().and_then(|(_, best)| tgba::complement_weak(best));
        let mut all = words(&mut rng, atoms, each);
        all.extend(automata.last().and_then(|(_, best)| tgba::accepting_word(best)));
        for word in &all {
            let expected = satisfies(&formulas, formula, word);
            let context = || format!("seed {seed} case {case}: {text} on {word:?}");
            assert_eq!(
                satisfies(&formulas, simple, word),
                expected,
                "simplified: {} {}",
                formulas.show(simple, Spelling::Any),
                context()
            );
            assert_ne!(satisfies(&formulas, negation, word), expected, "negation: {}", context());
            assert_ne!(
                tgba::accepts(&negative, word),
                expected,
                "automaton of the negation: {}",
                context()
            );
            if let Some(complement) = &complement {
                assert_ne!(tgba::accepts(complement, word), expected, "complement: {}", context());
            }
            for (name, automaton) in &automata {
                assert_eq!(tgba::accepts(automaton, word), expected, "{name}: {}", context());
            }
            pairs += 1;
        }
    }
    pairs
}

#[test]
fn automata_accept_what_satisfies_the_formula() {
    let pairs = compare(1, share(15_000), 20, 9);
    assert!(pairs >= 20_000, "{pairs}");
}

#[test]
fn larger_formulas_too() {
    let pairs = compare(2, share(1_500), 20, 16);
    assert!(pairs >= 3_000, "{pairs}");
}

#[test]
fn formulas_are_read_back_as_they_are_written() {
    for case in 0..share(20_000) {
        let mut rng = Rng::new(case);
        let mut formulas = Formulas::new();
        let size = rng.below(12);
        let formula = random::formula(&mut formulas, &mut rng, 3, size);
        for spelling in [Spelling::Any, Spelling::Spin, Spelling::Spot, Spelling::Nusmv] {
            let text = formulas.show(formula, spelling);
            let reader = &everypath_property::ltl::Expressions;
            let again = everypath_property::ltl::parse_with(&mut formulas, &text, spelling, reader)
                .unwrap_or_else(|error| panic!("{text}: {error}"));
            // Where a spelling lacks an operator it is another formula of the same meaning.
            if again != formula {
                for word in words(&mut rng, 3, 20) {
                    let same =
                        satisfies(&formulas, formula, &word) == satisfies(&formulas, again, &word);
                    assert!(same, "{spelling:?}: {text}");
                }
            }
        }
    }
}

/// Language questions answered by automata, against an exhaustive look at short words.
#[test]
fn equivalence_is_that_of_all_short_words() {
    let mut different = 0;
    let mut equal = 0;
    for case in 0..share(4_000) {
        let mut rng = Rng::new(case + 77);
        let mut formulas = Formulas::new();
        let (x, y) = (rng.below(5), rng.below(5));
        formulas.atom("a");
        let f = random::formula(&mut formulas, &mut rng, 1, x);
        let g = random::formula(&mut formulas, &mut rng, 1, y);
        let same = tgba::equivalent(&mut formulas, f, g).expect("small");
        let short = (1..=7usize).all(|length| {
            (1..=length).all(|cycle| {
                (0..1u64 << length).all(|bits| {
                    let letters: Vec<u64> = (0..length).map(|i| bits >> i & 1).collect();
                    let (stem, cycle) = letters.split_at(length - cycle);
                    let word = Lasso { stem: stem.to_vec(), cycle: cycle.to_vec() };
                    satisfies(&formulas, f, &word) == satisfies(&formulas, g, &word)
                })
            })
        });
        assert_eq!(
            same,
            short,
            "{} and {}",
            formulas.show(f, Spelling::Any),
            formulas.show(g, Spelling::Any)
        );
        if same { equal += 1 } else { different += 1 }
    }
    assert!(equal > 10 && different > 10, "{equal} {different}");
}

#[test]
fn repetition_is_noticed_where_a_formula_notices_it() {
    for (text, expected) in [
        ("[]<> a", true),
        ("X a", false),
        ("X[]<> a", true),
        ("<>(a && X !a)", true),
        ("<>(a && X a)", false),
        ("<>(a && X(a U b))", false),
        ("!a U (a && X(a U (b && !a)))", true),
        ("<>(a && X !a && X X b)", false),
        ("[](a -> X(a U b))", true),
        ("a || X a || !a", true),
    ] {
        let mut formulas = Formulas::new();
        let formula = parse(&mut formulas, text).expect(text);
        let found = tgba::is_stutter_invariant(&mut formulas, formula).expect("small");
        assert_eq!(found, expected, "{text}");
    }
    // What is said to be invariant keeps its truth when a letter is repeated.
    let mut invariant = 0;
    for case in 0..share(6_000) {
        let mut rng = Rng::new(case + 991);
        let mut formulas = Formulas::new();
        formulas.atom("a");
        formulas.atom("b");
        let size = 2 + rng.below(5);
        let formula = random::formula(&mut formulas, &mut rng, 2, size);
        if formulas.is_next_free(formula) {
            continue;
        }
        let found = tgba::is_stutter_invariant(&mut formulas, formula).expect("small");
        invariant += u32::from(found);
        let mut changed = false;
        for word in words(&mut rng, 2, 60) {
            let mut longer = word.clone();
            for _ in 0..=rng.below(3) {
                let at = rng.below(longer.len());
                match at.checked_sub(longer.stem.len()) {
                    None => longer.stem.insert(at, longer.stem[at]),
                    Some(inside) => longer.cycle.insert(inside, longer.cycle[inside]),
                }
            }
            changed |=
                satisfies(&formulas, formula, &word) != satisfies(&formulas, formula, &longer);
        }
        assert!(!(found && changed), "{}", formulas.show(formula, Spelling::Any));
    }
    assert!(invariant > 5, "{invariant}");
}
