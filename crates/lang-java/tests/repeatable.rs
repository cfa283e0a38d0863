//! The steps of a state are the same whenever it is asked for them, also where the first of them made classes of the
//! library.

mod support;

use std::collections::HashSet;

use everypath_lang_java::{Jdk, Options, Program, Reductions};
use everypath_model::{Successors, TransitionSystem};
use support::{Tools, scratch, tests};

/// The most states that are looked at.
const MOST: usize = 300;

/// The states that steps of a state lead to.
fn targets(program: &Program, state: &[u32]) -> Vec<Vec<u32>> {
    let mut worker = program.worker();
    let mut out = Successors::new();
    program.successors(&mut worker, state, &mut out).expect("steps");
    out.steps().iter().map(|step| out.target(step).to_vec()).collect()
}

#[test]
fn steps_that_initialise_the_library_are_the_same_again() {
    let Some(tools) = Tools::find() else { return };
    let classes = scratch("repeatable");
    tools.compile(&[tests().join("outside/LateClasses.java")], &classes, &[]);
    let jdk = Jdk::find().expect("a JDK");
    for case in ["calendar", "format", "files"] {
        for reductions in [Reductions::ALL, Reductions::NONE] {
            let options = Options::new(vec![classes.clone()], "LateClasses");
            let arguments = vec![case.to_owned()];
            let options = Options { arguments, reductions, ..options };
            let program = Program::load(&jdk, &options).expect("a program");
            let mut out = Successors::new();
            program.initial(&mut program.worker(), &mut out).expect("a state");
            let mut open: Vec<Vec<u32>> =
                out.steps().iter().map(|step| out.target(step).to_vec()).collect();
            let mut known = HashSet::new();
            while let Some(state) = open.pop().filter(|_| known.len() < MOST) {
                if !known.insert(state.clone()) {
                    continue;
                }
                let first = targets(&program, &state);
                assert_eq!(first, targets(&program, &state), "{case}");
                open.extend(first);
            }
        }
    }
}
