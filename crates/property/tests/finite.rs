//! Formulas and patterns on sequences of events that end, against their obvious meaning.

use everypath_model::Rng;
use everypath_property::events::{of_ltl, of_pattern};
use everypath_property::ltl::{Formula, Formulas, Node, Spelling, random};
use everypath_property::patterns::{Pattern, Property, Scope, Set, intervals};

/// Whether a formula holds from a place of a word on.
fn holds(formulas: &Formulas, formula: Formula, word: &[&str], at: usize) -> bool {
    let of = |formula: Formula, at: usize| holds(formulas, formula, word, at);
    let end = word.len();
    // Each from here on where the second one decides.
    let until = |a: Formula, b: Formula| (at..end).any(|j| of(b, j) && (at..j).all(|i| of(a, i)));
    let always = |a: Formula| (at..end).all(|i| of(a, i));
    let both_until =
        |a: Formula, b: Formula| (at..end).any(|j| of(a, j) && (at..=j).all(|i| of(b, i)));
    match formulas.node(formula) {
        Node::True => true,
        Node::False => false,
        Node::Atom(atom) => at < end && word[at] == formulas.atoms()[atom.index()].text,
        &Node::Not(a) => !of(a, at),
        Node::And(parts) => parts.iter().all(|&part| of(part, at)),
        Node::Or(parts) => parts.iter().any(|&part| of(part, at)),
        &Node::Xor(a, b) => of(a, at) != of(b, at),
        &Node::Implies(a, b) => !of(a, at) || of(b, at),
        &Node::Iff(a, b) => of(a, at) == of(b, at),
        &Node::Next(a) => at + 1 < end && of(a, at + 1),
        &Node::Until(a, b) => until(a, b),
        &Node::Weak(a, b) => until(a, b) || always(a),
        &Node::Release(a, b) => both_until(a, b) || always(b),
        &Node::Strong(a, b) => both_until(a, b),
    }
}

/// All words over some events up to a length.
fn words<'a>(events: &[&'a str], most: usize) -> Vec<Vec<&'a str>> {
    let mut all = vec![Vec::new()];
    let mut from = 0;
    for _ in 0..most {
        let until = all.len();
        for index in from..until {
            for event in events {
                let mut word: Vec<&str> = all[index].clone();
                word.push(event);
                all.push(word);
            }
        }
        from = until;
    }
    all
}

#[test]
fn automata_mean_the_formulas() {
    let words = words(&["a", "b", "c"], 5);
    let (mut accepted, mut compared) = (0, 0);
    for seed in 0..1500 {
        let mut rng = Rng::new(seed);
        let mut formulas = Formulas::finite();
        let size = 1 + rng.below(8);
        let formula = random::formula(&mut formulas, &mut rng, 3, size);
        let text = formulas.show(formula, Spelling::Spot);
        let events = formulas.atoms_of(formula);
        let names: Vec<&str> =
            events.iter().map(|atom| formulas.atoms()[atom.index()].text.as_str()).collect();
        if names.is_empty() {
            assert!(of_ltl(&text).is_err());
            continue;
        }
        let property = of_ltl(&text).unwrap_or_else(|error| panic!("{text}: {error}"));
        for word in &words {
            // Events that the formula does not name are not seen.
            let seen: Vec<&str> =
                word.iter().copied().filter(|event| names.contains(event)).collect();
            let expected = holds(&formulas, formula, &seen, 0);
            let found = property.holds(word.iter().copied());
            assert_eq!(found, expected, "{text} on {word:?}");
            accepted += u32::from(found);
            compared += 1;
        }
    }
    assert!(compared > 300_000 && accepted > compared / 10 && accepted < compared * 9 / 10);
}

#[test]
fn automata_mean_the_patterns() {
    for pattern in Pattern::ALL {
        for scope in Scope::ALL {
            let property = Property { pattern, scope, set: Set::default() };
            let roles = property.roles();
            let parts: Vec<String> = roles
                .iter()
                .map(|role| format!("{role} = {}", role.to_ascii_lowercase()))
                .collect();
            let text = format!("{} {}; {}", pattern.name(), scope.name(), parts.join("; "));
            let found = of_pattern(&text).unwrap_or_else(|error| panic!("{text}: {error}"));
            let names: Vec<String> =
                roles.iter().map(|role| role.to_ascii_lowercase().to_string()).collect();
            let mut events: Vec<&str> = names.iter().map(String::as_str).collect();
            let bit = |role: char| roles.iter().position(|&known| known == role).map(|b| b as u32);
            events.push("other");
            for word in words(&events, 5) {
                let seen = word.iter().filter(|event| **event != "other");
                let letters: Vec<u64> = seen
                    .map(|event| 1 << names.iter().position(|name| name == event).unwrap())
                    .collect();
                let expected = intervals::satisfied_by_finite(property, &letters, &bit);
                assert_eq!(found.holds(word.iter().copied()), expected, "{text} on {word:?}");
            }
        }
    }
}

#[test]
fn sequences_end() {
    let holds = |text: &str, word: &str| of_ltl(text).unwrap().holds(word.split_whitespace());
    // The last event has no next one.
    assert!(holds("a && X true", "a a") && !holds("a && X true", "a"));
    assert!(holds("<> (a && !X (a || b))", "b a") && !holds("<> (a && !X (a || b))", "a b"));
    assert!(!holds("[] (a -> X b)", "a b a"));
    assert!(holds("[] (fork1.up -> <> fork1.down)", "fork1.up x fork1.down"));
    assert!(!holds("[] (fork1.up -> <> fork1.down)", "fork1.up fork1.down fork1.up"));
    assert!(holds("[] (up.1 -> X down.1.x)", "up.1 down.1.x") && !holds("! <> up.1", "up.1"));
    // Nothing happens: nothing is wrong, and nothing comes.
    assert!(holds("[] a", "") && !holds("<> a", "") && !holds("a", "") && !holds("X a", ""));
    assert!(holds("\"F.up\" W b", "F.up F.up"));
    // Two ways to ask for the same.
    let one = of_ltl("! <> a").unwrap().fsa;
    assert!(one.is_equivalent(&of_pattern("absence; P = a").unwrap().fsa));
    assert_eq!(one.len(), 2);
    assert_eq!(one.names, ["s0", "trap"]);
}

#[test]
fn what_is_no_property_is_refused() {
    let ltl = |text: &str| of_ltl(text).unwrap_err().to_string();
    assert!(
        ltl("[] (x > 3)").starts_with("`x > 3` is no event at byte 4"),
        "{}",
        ltl("[] (x > 3)")
    );
    assert!(ltl("[] true").contains("about no event"));
    assert!(ltl("[] (a ->").contains("at byte"));
    let pattern = |text: &str| of_pattern(text).unwrap_err().to_string();
    assert!(pattern("respnse; P = a").contains("did you mean `response`?"));
    assert!(pattern("response; P = a").contains("S is missing"));
    assert!(pattern("response; P = a; P = b; S = c").contains("P is there already"));
    assert!(pattern("response; P = a; S = [] (").contains("at byte 2"));
    assert!(pattern("absence; Q = a").contains("`Q = a` is none of its parts"));
    // Which of the last 20 events were `a` has to be remembered.
    assert!(ltl(&format!("<> (a && {} b)", "X ".repeat(20))).contains("more than"));
}
