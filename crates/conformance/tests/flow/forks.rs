//! The dining philosophers whose forks are processes, as in the Ada version of the FLAVERS paper.

use everypath_engine_dataflow::{Constraint, Model, Options, Runs, refine};
use everypath_flow::Binding;
use everypath_property::events::{Fsa, of_pattern, read_qre};

use crate::{Read, conclusive, read};

const EXAMPLE: &str = include_str!("../../../../examples/flow/forks.pml");
const RAISED_TWICE: &str = include_str!("../../../../examples/flow/forks.qre");

/// `n` philosophers and forks; each has a channel for each fork.
fn forks(n: usize) -> String {
    let source = EXAMPLE.replace("#define N 3", &format!("#define N {n}"));
    assert!(n == 3 || source != EXAMPLE);
    source
}

fn with(n: usize, property: &Fsa) -> Read {
    let mut binding = Binding::default();
    binding.complete(&property.events);
    read(&forks(n), &binding)
}

fn constraints(texts: &[&str]) -> Vec<Constraint> {
    texts.iter().map(|text| Constraint::parse(text).unwrap()).collect()
}

fn raised_twice() -> Fsa {
    read_qre(RAISED_TWICE).unwrap().property().unwrap().required()
}

fn eat_at_same_time() -> Fsa {
    let text = "for events { Philosopher1.start, Philosopher1.stop, Philosopher2.start, Philosopher2.stop } \
                show all executions satisfy ((Philosopher1.start ; Philosopher1.stop) | \
                (Philosopher2.start ; Philosopher2.stop))*";
    read_qre(text).unwrap().property().unwrap().required()
}

#[test]
fn a_fork_is_followed_to_see_that_it_is_not_raised_twice() {
    for n in 3..=6 {
        let property = raised_twice();
        let read = with(n, &property);
        assert_eq!(read.graph.threads.len(), 2 * n);
        assert!(read.extracted.program.variables.is_empty(), "nothing but messages matters");
        assert!(!conclusive(&read.graph, &property, &[]), "{n}");
        assert!(conclusive(&read.graph, &property, &constraints(&["task:Fork2"])), "{n}");
        let property = eat_at_same_time();
        let read = with(n, &property);
        let both = ["task:Philosopher1", "task:Philosopher2"];
        assert!(!conclusive(&read.graph, &property, &constraints(&both)), "{n}");
        let all = ["task:Philosopher1", "task:Philosopher2", "task:Fork2"];
        assert!(conclusive(&read.graph, &property, &constraints(&all)), "{n}");
    }
}

#[test]
fn constraints_are_found_and_patterns_are_proved() {
    for (property, most) in [
        (raised_twice(), 1),
        (eat_at_same_time(), 3),
        (of_pattern("absence after; P = up.1; Q = Philosopher1.start").unwrap().required(), 9),
    ] {
        let read = with(3, &property);
        for runs in [Runs::Ending, Runs::All] {
            let options = Options { runs, ..Options::default() };
            let model = Model::new(&read.graph, property.clone(), Vec::new(), None, options);
            let refined = refine(&model, &[], 1_000_000).unwrap();
            println!("{:?} {:?}", property.events, refined.constraints);
            if most < 9 {
                assert!(refined.answer.conclusive(), "{:?}", refined.constraints);
                assert_eq!(refined.constraints.len(), most, "{:?}", refined.constraints);
            } else {
                // Philosopher 2 takes the fork, too.
                assert!(!refined.answer.conclusive());
            }
        }
    }
}
