//! Properties of events: expressions and automata against the obvious meaning.

use std::collections::BTreeSet;

use everypath_model::Rng;
use everypath_property::events::{
    EventProperty, Fsa, Mode, Qre, Regex, minimize, read_dot, read_fsa, read_qre, write_dot,
    write_fsa,
};

/// Where a match of an expression that begins at a place of a word may end.
fn ends(regex: &Regex, word: &[usize], from: usize) -> BTreeSet<usize> {
    let then = |places: BTreeSet<usize>, regex: &Regex| -> BTreeSet<usize> {
        places.into_iter().flat_map(|place| ends(regex, word, place)).collect()
    };
    match regex {
        Regex::Empty => BTreeSet::from([from]),
        Regex::One(events) => match word.get(from) {
            Some(event) if events.contains(event) => BTreeSet::from([from + 1]),
            _ => BTreeSet::new(),
        },
        Regex::Then(a, b) => then(ends(a, word, from), b),
        Regex::Or(a, b) => ends(a, word, from).union(&ends(b, word, from)).copied().collect(),
        Regex::Maybe(a) => ends(a, word, from).into_iter().chain([from]).collect(),
        Regex::Star(a) | Regex::Plus(a) => {
            let mut all = match regex {
                Regex::Star(_) => BTreeSet::from([from]),
                _ => ends(a, word, from),
            };
            loop {
                let more: BTreeSet<usize> =
                    all.iter().flat_map(|&place| ends(a, word, place)).collect();
                let before = all.len();
                all.extend(more);
                if all.len() == before {
                    return all;
                }
            }
        }
        Regex::Times(a, count) => {
            let mut places = BTreeSet::from([from]);
            for _ in 0..*count {
                places = then(places, a);
            }
            places
        }
    }
}

fn random(rng: &mut Rng, size: usize) -> Regex {
    if size == 0 {
        return match rng.below(6) {
            0 => Regex::Empty,
            1 => Regex::One(vec![0, 1, 2]),
            2 => Regex::One(vec![0, 2]),
            n => Regex::One(vec![n - 3]),
        };
    }
    let left = rng.below(size);
    let mut part = |size: usize| Box::new(random(rng, size));
    let (a, b) = (part(left), part(size - 1 - left));
    match rng.below(6) {
        0 => Regex::Or(a, b),
        1 | 2 => Regex::Then(a, b),
        3 => Regex::Star(a),
        4 => Regex::Plus(a),
        _ => match rng.chance(50) {
            true => Regex::Maybe(a),
            false => Regex::Times(a, rng.below(4) as u32),
        },
    }
}

/// All words of at most so many events out of three.
fn words(most: usize) -> Vec<Vec<usize>> {
    let mut all = vec![Vec::new()];
    let mut last = all.clone();
    for _ in 0..most {
        last = last
            .iter()
            .flat_map(|word: &Vec<usize>| {
                (0..3).map(|event| word.iter().copied().chain([event]).collect::<Vec<_>>())
            })
            .collect();
        all.extend(last.clone());
    }
    all
}

const EVENTS: [&str; 3] = ["up", "down", "fork1.take"];

fn named(word: &[usize]) -> Vec<&'static str> {
    word.iter().map(|&event| EVENTS[event]).collect()
}

/// Classes of states that no word tells apart, by the obvious refinement.
fn classes(fsa: &Fsa) -> usize {
    let mut class: Vec<usize> = fsa.accepting.iter().map(|&accepts| usize::from(accepts)).collect();
    loop {
        let keys: Vec<(usize, Vec<usize>)> = (0..fsa.len())
            .map(|state| (class[state], fsa.delta[state].iter().map(|&next| class[next]).collect()))
            .collect();
        let distinct: BTreeSet<_> = keys.iter().cloned().collect();
        let next: Vec<usize> =
            keys.iter().map(|key| distinct.iter().position(|d| d == key).expect("there")).collect();
        if next.iter().collect::<BTreeSet<_>>().len() == class.iter().collect::<BTreeSet<_>>().len()
        {
            return distinct.len();
        }
        class = next;
    }
}

#[test]
fn expressions_become_minimal_automata_of_the_same_sequences() {
    let words = words(6);
    for seed in 0..400 {
        let mut rng = Rng::new(seed);
        let size = rng.below(8);
        let mode = if rng.chance(50) { Mode::All } else { Mode::No };
        let qre =
            Qre { events: EVENTS.map(str::to_owned).to_vec(), mode, regex: random(&mut rng, size) };
        let property = qre.property().expect("small");
        let required = property.required();
        for word in &words {
            let expected = ends(&qre.regex, word, 0).contains(&word.len());
            assert_eq!(property.fsa.accepts(named(word)), expected, "{qre} {word:?}");
            assert_eq!(
                property.holds(named(word)),
                expected == (mode == Mode::All),
                "{qre} {word:?}"
            );
            assert_eq!(
                required.accepts(named(word)),
                property.holds(named(word)),
                "{qre} {word:?}"
            );
        }
        assert_eq!(classes(&property.fsa), property.fsa.len(), "not minimal: {qre}");
        assert_eq!(minimize(&property.fsa), property.fsa, "{qre}");
        // The shortest accepted sequence is one, and none is shorter.
        let shortest = property.fsa.shortest().map(|events| events.len());
        let found = words.iter().find(|word| property.fsa.accepts(named(word))).map(Vec::len);
        assert!(shortest == found || (found.is_none() && shortest.is_none_or(|n| n > 6)), "{qre}");
        // Everything is read back.
        let text = qre.to_string();
        let again = read_qre(&text).unwrap_or_else(|error| panic!("{text}: {error}"));
        assert_eq!(again.to_string(), text);
        assert!(again.property().expect("small").fsa.is_equivalent(&property.fsa), "{text}");
        let text = write_fsa(&property);
        let again = read_fsa(&text).unwrap_or_else(|error| panic!("{text}: {error}"));
        assert_eq!(again.mode, mode);
        assert!(again.fsa.is_equivalent(&property.fsa), "{text}");
        let text = write_dot(&property);
        let again = read_dot(&text).unwrap_or_else(|error| panic!("{text}: {error}"));
        assert!(again.fsa.is_equivalent(&property.fsa), "{text}");
    }
}

#[test]
fn the_pattern_library_of_the_literature() {
    // Absence of P between Q and R.
    let text = "for events { P, Q, R } show all executions satisfy \
                ([- Q]* ; Q ; [- P, R]* ; R)* ; [- Q]* ; (Q ; [- R]*)?";
    let property = read_qre(text).expect("ours").property().expect("small");
    let holds = |events: &str| property.holds(events.split_whitespace());
    assert!(holds("") && holds("P Q R P") && holds("Q P P") && holds("Q other R Q R"));
    assert!(!holds("Q P R") && !holds("Q R Q P other R Q"));
    let no = read_qre(
        "for events { lock, unlock } show no execution satisfies .* ; unlock ; unlock ; .*",
    );
    let no = no.expect("ours").property().expect("small");
    assert!(
        no.holds(["lock", "unlock", "lock", "unlock"]) && !no.holds(["unlock", "other", "unlock"])
    );
}

#[test]
fn automata_are_read_as_people_write_them() {
    let text = "# a lock\nno execution\nevents take, give, check\nstart idle\naccept wrong\n\
                idle take -> busy\nidle * -> idle\nbusy give -> idle   # back\nbusy take -> wrong\nbusy check -> busy\nwrong * -> wrong\n";
    let property = read_fsa(text).expect("ours");
    assert_eq!((property.mode, property.fsa.len()), (Mode::No, 3));
    assert!(
        property.holds(["take", "check", "give", "take"])
            && !property.holds(["take", "take", "give"])
    );
    let dot = "digraph lock { rankdir=LR; start [shape=point]; start -> idle; \
               idle [shape=doublecircle]; busy; idle -> busy [label=\"take\"]; \
               busy -> idle [label=\"give, drop\", color=red]; /* done */ }";
    let property: EventProperty = read_dot(dot).expect("ours");
    assert_eq!(property.fsa.events, ["take", "give", "drop"]);
    assert!(
        property.holds(["take", "drop"]) && !property.holds(["take"]) && !property.holds(["give"])
    );
}

#[test]
fn errors_name_the_place() {
    for (text, at, message) in [
        ("", "", "expected `for`, found the end"),
        ("for event { a }", "event", "expected `events`, found `event`"),
        ("for events { a, a }", "a", "`a` is there already"),
        ("for events { a } show some", "some", "expected `all` or `no`, found `some`"),
        (
            "for events { abc } show all executions satisfy abd",
            "abd",
            "`abd` is not among the events",
        ),
        ("for events { a } show all executions satisfy (a", "", "expected `)`, found the end"),
        ("for events { a } show all executions satisfy a^9999", "9999", "more than 1000 times"),
        (
            "for events { a } show all executions satisfy a )",
            ")",
            "expected an operator or the end, found `)`",
        ),
        ("for events { a } show all executions satisfy [a]", "a", "expected `-`, found `a`"),
    ] {
        let error = read_qre(text).expect_err(text);
        assert_eq!((error.message.as_str(), &text[error.place.clone()]), (message, at), "{text}");
    }
    for (text, at, message) in [
        ("events a\n", "", "`start` is missing"),
        ("events a, a\nstart s\n", "a", "`a` is there already"),
        ("start s\nstart t\n", "start t", "a second `start`"),
        ("events a\nstart s\ns b -> t\n", "b", "`b` is not among the events"),
        ("events a\nstart s\ns a t\n", "s a t", "this is no line of an automaton"),
        ("start s\ns a -> t\n", "s a -> t", "`events` has to come before the edges"),
    ] {
        let error = read_fsa(text).expect_err(text);
        assert_eq!((error.message.as_str(), &text[error.place.clone()]), (message, at), "{text}");
    }
    for (text, message) in [
        ("graph {", "expected `digraph`"),
        ("digraph { a -> }", "expected a node, found `}`"),
        ("digraph { a -> b }", "the edge from `a` has no label"),
        ("digraph { }", "the graph has no states"),
        ("digraph { subgraph x { } }", "subgraphs are not supported"),
        ("digraph { \"a }", "the text is never closed"),
        ("digraph { a", "expected a node or `}`, found the end"),
    ] {
        assert_eq!(read_dot(text).expect_err(text).message, message, "{text}");
    }
}

#[test]
fn large_and_broken_texts_end() {
    let deep = format!("for events {{ a }} show all executions satisfy {}a", "(".repeat(100_000));
    assert!(read_qre(&deep).is_err());
    let long = format!("for events {{ a }} show all executions satisfy a{}", ";a".repeat(100_000));
    assert!(read_qre(&long).is_err());
    // (((a^1000)^1000)^1000 would have a billion states.
    let huge = read_qre("for events { a } show all executions satisfy ((a^1000)^1000)^1000")
        .expect("short");
    assert!(huge.property().is_none());
    // The n-th event from the end is an a: exponentially many sets.
    let wide =
        read_qre("for events { a, b } show all executions satisfy .* ; a ; .^40").expect("short");
    assert!(wide.property().is_none());
    let texts = [
        "for events { a, b.c } show no executions satisfy ([- a]* ; (a | b.c)^2)+ | []",
        "events a, b\nstart s\naccept s\ns a, b -> t\nt * -> s\n",
        "digraph x { s [shape=doublecircle] s -> t [label=\"a, b\"] }",
    ];
    for case in 0..3_000 {
        let mut rng = Rng::new(case);
        let mut chars: Vec<char> = rng.pick(&texts).chars().collect();
        for _ in 0..1 + rng.below(3) {
            let at = rng.below(chars.len().max(1));
            match rng.below(3) {
                0 => chars.truncate(at),
                1 if at < chars.len() => {
                    chars.remove(at);
                }
                _ => chars.insert(
                    at.min(chars.len()),
                    *rng.pick(&['(', '[', '{', '-', '"', '*', '9', '\u{e4}', ',']),
                ),
            }
        }
        let text: String = chars.into_iter().collect();
        for error in [read_qre(&text).err(), read_fsa(&text).err(), read_dot(&text).err()]
            .into_iter()
            .flatten()
        {
            assert!(text.get(error.place.clone()).is_some(), "{text}");
        }
    }
}
