//! The order in which objects are made and classes are loaded, and what nobody reaches any more, tell no states
//! apart.

mod support;

use std::collections::HashSet;
use std::path::{Path, PathBuf};

use everypath_lang_java::{Jdk, Numbering, Options, Program, Reductions};
use everypath_model::{Successors, TransitionSystem};
use support::{Tools, examples, scratch, sources, tests};

/// The most states that are looked at.
const MOST: usize = 3_000;

/// The states of a program.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct States {
    all: usize,
    /// Those from which no step leads on.
    last: usize,
}

/// All states; `None` if there are more than `MOST`.
fn states(
    classes: &Path,
    name: &str,
    reductions: Reductions,
    numbering: Numbering,
) -> Option<States> {
    let options = Options::new(vec![classes.to_path_buf()], name);
    let options = Options { reductions, numbering, ..options };
    let program = Program::load(&Jdk::find().expect("a JDK"), &options)
        .unwrap_or_else(|error| panic!("{name}: {error}"));
    'again: loop {
        let (mut worker, mut out) = (program.worker(), Successors::new());
        program.initial(&mut worker, &mut out).expect("a first state");
        let mut open: Vec<Vec<u32>> =
            out.steps().iter().map(|step| out.target(step).to_vec()).collect();
        let mut known: HashSet<Vec<u32>> = open.iter().cloned().collect();
        let mut last = 0;
        while let Some(state) = open.pop() {
            out.clear();
            if let Err(error) = program.successors(&mut worker, &state, &mut out) {
                assert!(program.assume_less(), "{name}: {}", error.0);
                continue 'again;
            }
            last += usize::from(out.is_empty());
            for step in out.steps() {
                let target = out.target(step);
                if known.insert(target.to_vec()) {
                    open.push(target.to_vec());
                }
            }
            if known.len() > MOST {
                return None;
            }
        }
        return Some(States { all: known.len(), last });
    }
}

/// The classes of the programs, and of an example.
fn compiled(name: &str) -> Option<PathBuf> {
    let tools = Tools::find()?;
    let mut all = sources(&tests().join("heaps"));
    all.extend(examples().into_iter().filter(|source| source.ends_with("TwoAllocators.java")));
    assert_eq!(all.len(), 6);
    let classes = scratch(name);
    tools.compile(&all, &classes, &[]);
    Some(classes)
}

/// Steps that others do not notice leave out more states than places that do not matter, and both leave out most.
#[test]
fn two_that_allocate_have_fewer_states_with_each_reduction() {
    let Some(classes) = compiled("heaps-allocators") else { return };
    let count = |reductions, numbering| {
        states(&classes, "TwoAllocators", reductions, numbering).expect("few states")
    };
    let none = count(Reductions::NONE, Numbering::Sites);
    let places = count(Reductions::NONE, Numbering::Reached);
    let steps = count(Reductions::ALL, Numbering::Sites);
    let both = count(Reductions::ALL, Numbering::Reached);
    println!("{none:?} {places:?} {steps:?} {both:?}");
    let fewer = none.all > places.all && places.all > steps.all && steps.all > both.all;
    assert!(fewer, "{none:?} {places:?} {steps:?} {both:?}");
    assert!(both.all * 4 <= none.all, "{none:?} {both:?}");
}

#[test]
fn the_order_in_which_objects_are_made_tells_no_states_apart() {
    let Some(classes) = compiled("heaps-order") else { return };
    for reductions in [Reductions::NONE, Reductions::ALL] {
        for name in ["TwoAllocators", "SameInstruction"] {
            let found = states(&classes, name, reductions, Numbering::Reached);
            assert_eq!(found.expect("few states").last, 1, "{name}, {reductions:?}");
        }
    }
    // Numbered by the instruction that made them they show the order.
    let found = states(&classes, "SameInstruction", Reductions::NONE, Numbering::Sites);
    assert_eq!(found.expect("few states").last, 2);
}

#[test]
fn garbage_tells_no_states_apart() {
    let Some(classes) = compiled("heaps-garbage") else { return };
    for reductions in [Reductions::NONE, Reductions::ALL] {
        for numbering in [Numbering::Reached, Numbering::Sites] {
            let count = |name| states(&classes, name, reductions, numbering);
            let garbage = count("GarbageForEver").expect("few states");
            assert!(garbage.all < 300 && garbage.last == 0, "{numbering:?}: {garbage:?}");
            // What is kept is no garbage.
            assert_eq!(count("KeptForEver"), None);
        }
    }
}

#[test]
fn the_order_in_which_classes_are_loaded_tells_no_states_apart() {
    let Some(classes) = compiled("heaps-classes") else { return };
    for reductions in [Reductions::NONE, Reductions::ALL] {
        let last =
            |name| states(&classes, name, reductions, Numbering::Reached).expect("few states").last;
        // Both orders are followed: classes that count see them.
        assert_eq!((last("ClassesInAnyOrder"), last("ClassesInOrder")), (1, 2));
    }
}
