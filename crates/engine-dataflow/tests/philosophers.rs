//! The dining philosophers of the FLAVERS paper: which constraints are enough, and which are not.

use everypath_engine_dataflow::{Answer, Constraint, Graph, Model, Options, inline, refine};
use everypath_flow::read;
use everypath_model::FileId;
use everypath_property::events::{Fsa, Nfa, read_qre};
use everypath_testkit::philosophers::{self, MONITORS};

/// Two philosophers who take the forks in the same order.
fn two() -> Graph {
    graph(&philosophers::two())
}

/// `n` philosophers in a ring, of whom the last takes the forks the other way around.
fn ring(n: usize) -> Graph {
    graph(&philosophers::ring(n))
}

/// One alone, as a program without other threads.
fn one() -> Graph {
    graph(&format!("{MONITORS}task p1 = philosopher(fork1, fork2, p1)\n"))
}

fn graph(text: &str) -> Graph {
    let program = read(text, FileId(0)).unwrap_or_else(|error| panic!("{error:?}"));
    inline(&program).unwrap()
}

/// An automaton from its edges; all states accept but for the one that is not named.
fn fsa(states: &[&str], edges: &[(&str, &str, &str)]) -> Fsa {
    let mut nfa = Nfa::default();
    for _ in states {
        let state = nfa.state();
        nfa.accepting[state] = true;
    }
    nfa.names = states.iter().map(|name| (*name).to_owned()).collect();
    for (from, event, to) in edges {
        let place = |name: &str| states.iter().position(|state| *state == name).unwrap();
        let known = nfa.events.iter().position(|known| known == event);
        let symbol = known.unwrap_or_else(|| {
            nfa.events.push((*event).to_owned());
            nfa.events.len() - 1
        });
        nfa.edges[place(from)].push((Some(symbol), place(to)));
    }
    nfa.determinize().unwrap()
}

fn has_two_forks_to_eat() -> Fsa {
    fsa(
        &["none", "f1", "f2", "both"],
        &[
            ("none", "fork1.up", "f1"),
            ("f2", "fork1.up", "both"),
            ("none", "fork2.up", "f2"),
            ("f1", "fork2.up", "both"),
            ("f1", "fork1.down", "none"),
            ("both", "fork1.down", "f2"),
            ("f2", "fork2.down", "none"),
            ("both", "fork2.down", "f1"),
            ("both", "p1.startEating", "both"),
        ],
    )
}

fn no_fork_raised_twice() -> Fsa {
    fsa(
        &["down", "up"],
        &[("down", "fork1.up", "up"), ("up", "fork1.down", "down"), ("down", "fork1.down", "down")],
    )
}

fn no_eat_at_same_time() -> Fsa {
    let edges = [
        ("none", "p1.startEating", "e1"),
        ("e1", "p1.stopEating", "none"),
        ("none", "p2.startEating", "e2"),
        ("e2", "p2.stopEating", "none"),
    ];
    fsa(&["none", "e1", "e2"], &edges)
}

fn constraints(texts: &[&str]) -> Vec<Constraint> {
    texts.iter().map(|text| Constraint::parse(text).unwrap()).collect()
}

fn decide(graph: &Graph, property: &Fsa, texts: &[&str], whole: bool) -> Answer {
    let options = Options { whole, ..Options::default() };
    let all = constraints(texts);
    let model = Model::new(graph, property.clone(), Vec::new(), Some(&all), options);
    model.decide(&all).unwrap()
}

/// Whether the property is proved; the whole graph proves no more.
fn conclusive(graph: &Graph, property: &Fsa, texts: &[&str]) -> bool {
    let small = decide(graph, property, texts, false);
    let whole = decide(graph, property, texts, true);
    // What is left out can only stand in the way.
    assert!(small.conclusive() || !whole.conclusive(), "{texts:?}");
    assert!(small.nodes() <= whole.nodes());
    println!(
        "{texts:?}: {} nodes {} steps {} pairs; whole {} {} {}",
        small.nodes(),
        small.parallel_steps(),
        small.propagated.pairs,
        whole.nodes(),
        whole.parallel_steps(),
        whole.propagated.pairs,
    );
    small.conclusive()
}

#[test]
fn has_two_forks_to_eat_needs_both_variables() {
    let (graph, property) = (one(), has_two_forks_to_eat());
    assert!(!conclusive(&graph, &property, &[]));
    assert!(!conclusive(&graph, &property, &["var:success1_1"]));
    assert!(!conclusive(&graph, &property, &["var:success1_2"]));
    assert!(conclusive(&graph, &property, &["var:success1_1", "var:success1_2"]));
    // The shortest way to go wrong is to eat without a fork.
    let model = Model::new(&graph, property, Vec::new(), Some(&[]), Options::default());
    let answer = model.decide(&[]).unwrap();
    let events: Vec<String> = answer
        .propagated
        .path
        .iter()
        .filter_map(|visit| answer.tfg.node(visit.node))
        .map(|node| model.graph.show(node))
        .collect();
    let expected = ["begin", "p1.startEating", "fork1.down", "fork2.down", "end"];
    assert_eq!(events, expected);
}

#[test]
fn no_fork_raised_twice_needs_four_constraints() {
    let (graph, property) = (two(), no_fork_raised_twice());
    let all = ["var:fork1.isUp", "task:p1", "task:p2", "monitor:fork1"];
    for count in 0..all.len() {
        assert!(!conclusive(&graph, &property, &all[..count]), "{count}");
    }
    assert!(conclusive(&graph, &property, &all));
    for left_out in 0..all.len() {
        let mut some = all.to_vec();
        some.remove(left_out);
        assert!(!conclusive(&graph, &property, &some), "{some:?}");
    }
}

#[test]
fn no_eat_at_same_time_needs_six_constraints() {
    let (graph, property) = (two(), no_eat_at_same_time());
    let all = [
        "var:fork2.isUp",
        "var:success1_2",
        "var:success2_2",
        "task:p1",
        "task:p2",
        "monitor:fork2",
    ];
    assert!(conclusive(&graph, &property, &all));
    for left_out in 0..all.len() {
        let mut some = all.to_vec();
        some.remove(left_out);
        assert!(!conclusive(&graph, &property, &some), "{some:?}");
    }
    // In a ring, the second philosopher takes the shared fork first.
    let all = [
        "var:fork2.isUp",
        "var:success1_2",
        "var:success2_1",
        "task:p1",
        "task:p2",
        "monitor:fork2",
    ];
    assert!(conclusive(&ring(3), &property, &all));
    // What others do makes no difference.
    let pairs = |n| {
        let answer = decide(&ring(n), &property, &all, false);
        assert!(answer.conclusive(), "{n}");
        answer.propagated.pairs
    };
    assert_eq!(pairs(3), pairs(30));
}

#[test]
fn a_fork_that_is_down_is_not_put_down() {
    let graph = two();
    let property =
        fsa(&["down", "up"], &[("down", "fork1.up", "up"), ("up", "fork1.down", "down")]);
    let all = [
        "var:success1_1",
        "var:success2_1",
        "var:fork1.isUp",
        "monitor:fork1",
        "task:p1",
        "task:p2",
    ];
    assert!(conclusive(&graph, &property, &all));
    for left_out in 0..all.len() {
        let mut some = all.to_vec();
        some.remove(left_out);
        assert!(!conclusive(&graph, &property, &some), "{some:?}");
    }
}

#[test]
fn both_forks_are_put_down_after_eating() {
    let text = "for events { p1.stopEating, fork1.down, fork2.down } show all executions satisfy \
                (p1.stopEating ; fork1.down ; fork2.down)*";
    let property = read_qre(text).unwrap().property().unwrap().required();
    assert!(conclusive(&one(), &property, &[]));
}

#[test]
fn constraints_are_found_without_help() {
    for (name, graph, property, most) in [
        ("has-two-forks-to-eat", one(), has_two_forks_to_eat(), 2),
        ("no-fork-raised-twice", two(), no_fork_raised_twice(), 4),
        ("no-eat-at-same-time", two(), no_eat_at_same_time(), 6),
        ("no-eat-at-same-time in a ring", ring(4), no_eat_at_same_time(), 6),
        ("no-fork-raised-twice of tasks", tasks(3), no_fork_raised_twice(), 1),
        ("no-eat-at-same-time of tasks", tasks(3), no_eat_at_same_time(), 3),
    ] {
        let model = Model::new(&graph, property, Vec::new(), None, Options::default());
        let refined = refine(&model, &[], 10_000_000).unwrap();
        println!("{name}: {:?}", refined.constraints);
        for round in &refined.rounds {
            println!("  {:?} {:?}", round.events, round.added);
        }
        assert!(!refined.stuck && refined.answer.conclusive(), "{name}");
        assert_eq!(refined.constraints.len(), most, "{name}: {:?}", refined.constraints);
    }
}

/// Forks that are tasks, as in Ada.
fn tasks(n: usize) -> Graph {
    graph(&philosophers::tasks(n))
}

#[test]
fn tasks_that_meet_need_no_variables() {
    for n in 3..=6 {
        let graph = tasks(n);
        let property = no_fork_raised_twice();
        assert!(conclusive(&graph, &property, &["task:fork1"]), "{n}");
        assert!(!conclusive(&graph, &property, &[]), "{n}");
        let property = no_eat_at_same_time();
        assert!(conclusive(&graph, &property, &["task:p1", "task:p2", "task:fork2"]), "{n}");
        assert!(!conclusive(&graph, &property, &["task:p1", "task:p2"]), "{n}");
    }
}

/// Two threads that lock and unlock: without constraints one may be left in the middle.
#[test]
fn a_task_is_followed_from_its_beginning_to_its_end() {
    let text = "task t1 { event a; event b }\ntask t2 { event c; event d }\n";
    let graph = graph(text);
    // Whenever `a` was, `b` comes.
    let text = "for events { a, b, c, d } show all executions satisfy \
                (c | d)* ; (a ; (c | d)* ; b)? ; (c | d)*";
    let property = read_qre(text).unwrap().property().unwrap().required();
    assert!(!conclusive(&graph, &property, &[]));
    assert!(conclusive(&graph, &property, &["task:t1"]));
}

/// Whoever fills the box is needed to see that it is not emptied first, though the path has nothing of him.
#[test]
fn threads_that_a_path_leaves_out_count() {
    let text = "var full = false
proc put() { synchronized box { while full { wait box } full = true; notifyall box; event put } }
proc get() { synchronized box { while !full { wait box } full = false; notifyall box; event get } }
thread producer { while * { call put() } }
thread consumer { while * { call get() } }
task main { start producer; start consumer }
";
    let property = "for events { put, get } show all executions satisfy (put ; get)* ; put?";
    let required = read_qre(property).unwrap().property().unwrap().required();
    let model = Model::new(&graph(text), required, Vec::new(), None, Options::default());
    let refined = refine(&model, &[], 1_000_000).unwrap();
    assert!(refined.answer.conclusive(), "{:?}", refined.constraints);
    assert_eq!(refined.constraints.len(), 4, "{:?}", refined.constraints);
}

/// Those of the benchmark are the same properties, and the constraints are enough.
#[test]
fn rings_of_any_size_have_the_same_proof() {
    for n in [3, 4, 9] {
        for (text, automaton) in [
            (philosophers::RAISED_TWICE, no_fork_raised_twice()),
            (philosophers::EAT_AT_SAME_TIME, no_eat_at_same_time()),
        ] {
            let property = read_qre(text).unwrap().property().unwrap().required();
            assert!(property.is_equivalent(&automaton), "{text}");
            for (graph, tasks) in [(ring(n), false), (tasks(n), true)] {
                let all = philosophers::constraints(n, tasks, text);
                let texts: Vec<&str> = all.iter().map(String::as_str).collect();
                let proved = |texts: &[&str]| decide(&graph, &property, texts, false).conclusive();
                assert!(proved(&texts), "{n} {texts:?}");
                assert!(!proved(&texts[1..]), "{n} {texts:?}");
            }
        }
    }
}
