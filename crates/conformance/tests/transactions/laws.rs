//! Steps that are said to be movers change places with the steps of others, tried on every state of small models.

use std::collections::HashMap;
use std::path::Path;
use std::sync::Arc;

use everypath_conformance::agree::machine;
use everypath_layer_reduce::Transactional;
use everypath_machine::Interpreter;
use everypath_model::{Fault, Mover, Successors, Threads, TransitionSystem};
use everypath_testkit::generate;

use super::{count, random};

/// Models with more states are left out.
const MOST: usize = 400;

/// A step of a process.
#[derive(Clone, Debug)]
struct Move {
    /// Who executes what.
    actions: Vec<(u32, u32)>,
    fault: Option<Fault>,
    /// Where it leads, unless the run ends with it.
    target: Option<usize>,
    mover: Mover,
}

impl Move {
    fn is(&self, other: &Move) -> bool {
        (&self.actions, self.fault, self.target.is_some())
            == (&other.actions, other.fault, other.target.is_some())
    }

    /// The process takes part in it.
    fn has(&self, process: usize) -> bool {
        self.actions.iter().any(|action| action.0 as usize == process)
    }
}

/// All states: for each of them the moves of each process. `None` if there are too many.
fn graph(system: &Transactional<Interpreter>) -> Option<Vec<Vec<Vec<Move>>>> {
    let (mut worker, mut out) = (system.worker(), Successors::new());
    system.initial(&mut worker, &mut out).expect("it begins");
    let mut states = vec![out.target(&out.steps()[0]).to_vec()];
    let mut numbers = HashMap::from([(states[0].clone(), 0)]);
    let mut graph: Vec<Vec<Vec<Move>>> = Vec::new();
    let mut movers = Vec::new();
    while graph.len() < states.len() {
        let state = states[graph.len()].clone();
        let mut all = Vec::new();
        for thread in 0..system.threads(&mut worker, &state) {
            out.clear();
            movers.clear();
            system.steps_of(&mut worker, &state, thread, &mut out, &mut movers).expect("evaluated");
            let mut own = Vec::new();
            for (step, &mover) in out.steps().iter().zip(&movers) {
                let target = (!step.fatal).then(|| {
                    let target = out.target(step).to_vec();
                    let new = states.len();
                    *numbers.entry(target).or_insert_with_key(|target| {
                        states.push(target.clone());
                        new
                    })
                });
                let actions = out.actions(step).iter();
                let actions = actions.map(|action| (action.process, action.transition)).collect();
                own.push(Move { actions, fault: step.fault, target, mover });
            }
            all.push(own);
        }
        graph.push(all);
        if states.len() > MOST {
            return None;
        }
    }
    Some(graph)
}

/// What was tried.
#[derive(Debug, Default)]
struct Tried {
    models: usize,
    /// Pairs of steps, by the law and by whether the step moves in one direction only.
    right: [u64; 2],
    stays: [u64; 2],
    left: [u64; 2],
    enabled: [u64; 2],
}

/// Tries the laws on all pairs of steps of different processes.
fn check(name: &str, source: &str, tried: &mut Tried) {
    let Some(machine) = machine(source, Path::new("m.pml")) else { return };
    let Ok(system) = Transactional::new(Interpreter::new(Arc::new(machine))) else { return };
    let Some(graph) = graph(&system) else { return };
    tried.models += 1;
    let moves = |state: usize, process: usize| graph[state].get(process).map_or(&[][..], |own| own);
    let to = |from: &[Move], like: &Move, target: Option<usize>| {
        from.iter().any(|step| step.is(like) && step.target == target)
    };
    for (state, all) in graph.iter().enumerate() {
        for (first, one) in
            all.iter().enumerate().flat_map(|(p, own)| own.iter().map(move |m| (p, m)))
        {
            let Some(between) = one.target else { continue };
            for (second, two) in graph[between]
                .iter()
                .enumerate()
                .flat_map(|(p, own)| own.iter().map(move |m| (p, m)))
                .filter(|(second, two)| {
                    // Who is started by the first step has none before it.
                    let there = *second < all.len() && *second != first;
                    there && !one.has(*second) && !two.has(first)
                })
            {
                let told = |law: &str| {
                    format!(
                        "{name}, {law}: state {state}, {one:?} of {first}, {two:?} of {second}\n{source}"
                    )
                };
                // The steps of the second process that do the same in the first state, and then the first one.
                let swapped = || {
                    moves(state, second).iter().filter(|step| step.is(two)).any(|step| {
                        let Some(there) = step.target else { return true };
                        to(moves(there, first), one, two.target)
                    })
                };
                if one.mover.right {
                    assert!(swapped(), "{}", told("M1"));
                    tried.right[usize::from(!one.mover.left)] += 1;
                }
                if two.mover.right {
                    // Whatever the same statements do before the step of the other one is a right mover too.
                    let before =
                        moves(state, second).iter().filter(|step| step.actions == two.actions);
                    for step in before {
                        assert!(step.mover.right, "{}", told("M2"));
                        tried.stays[usize::from(!two.mover.left)] += 1;
                    }
                }
                if two.mover.left {
                    assert!(swapped(), "{}", told("M3"));
                    tried.left[usize::from(!two.mover.right)] += 1;
                }
            }
            for (second, own) in all.iter().enumerate().filter(|(second, _)| *second != first) {
                for step in own.iter().filter(|step| step.mover.left && !one.has(second)) {
                    let after =
                        moves(between, second).iter().any(|after| after.actions == step.actions);
                    assert!(
                        after,
                        "{name}, M4: state {state}, {one:?} of {first}, {step:?} of {second}\n{source}"
                    );
                    tried.enabled[usize::from(!step.mover.right)] += 1;
                }
            }
        }
    }
}

#[test]
fn movers_change_places_with_the_steps_of_others() {
    let mut tried = Tried::default();
    for seed in 0..count(10_000) {
        check(&format!("seed {seed}"), &random(seed), &mut tried);
    }
    println!("{tried:?}");
    let Tried { models, right, stays, left, enabled } = tried;
    assert!(models as u64 > count(10_000) / 3, "only {models} models are small");
    for pairs in [right, stays, left, enabled] {
        assert!(pairs.iter().all(|&pairs| pairs > 500), "{right:?} {stays:?} {left:?} {enabled:?}");
    }
}

#[test]
fn movers_of_models_of_all_kinds_change_places_with_the_steps_of_others() {
    let mut tried = Tried::default();
    for seed in 0..count(4_000) {
        check(&format!("seed {seed}"), &generate::model(seed).text, &mut tried);
    }
    println!("{tried:?}");
    assert!(tried.right[0] > 500 && tried.left[0] > 500, "{tried:?}");
}
