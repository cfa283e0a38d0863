//! Which reductions fit a model.

use std::sync::Arc;

use everypath_layer_optimise::{Observed, optimise};
use everypath_layer_reduce::{Symmetry, Transactional};
use everypath_machine::Interpreter;

use crate::checking::Checking;
use crate::promela::partial;
use crate::reduce::Reductions;

/// Words of variables from which on only those reductions are used that were named.
const VAST: u32 = 1 << 14;

/// What is searched for a model, and how.
pub struct Fitting {
    /// The settings without what cannot be done with this model.
    pub checking: Checking,
    /// A smaller model with the same answers, if reductions that make one are wanted.
    pub smaller: Option<Interpreter>,
    /// Why something cannot be done.
    pub remarks: Vec<String>,
}

/// Finds out which reductions fit a model.
pub fn fitting(checking: &Checking, system: &Interpreter) -> Fitting {
    let mut checking = checking.clone();
    let mut remarks = Vec::new();
    let machine = system.machine();
    let largest = machine.proctypes.iter().map(|proctype| proctype.words).max().unwrap_or(0);
    if machine.global_words.max(largest) > VAST {
        // To find out what can be left out would take longer than to search.
        checking.reductions = checking.reductions.only_named();
    }
    if checking.reductions.partial_order().is_some()
        && let Some(obstacle) = everypath_layer_reduce::obstacle(system)
    {
        remarks.push(format!("every order of steps is followed: {obstacle}"));
        checking.reductions = checking.reductions.without_partial_order();
    }
    let smaller = reduced(system, &checking.reductions);
    if !checking.reductions.names_partial_order()
        && let Some(order) = checking.partial_order()
        && let Ok(false) = partial(smaller.as_ref().unwrap_or(system).clone(), order).is_worth_it()
    {
        let why = "little could be left out";
        remarks.push(format!("every order of steps is followed: {why}"));
        checking.reductions = checking.reductions.without_partial_order();
    }
    if checking.reductions.symmetry() {
        let (symmetry, why) = Symmetry::find(smaller.as_ref().unwrap_or(system));
        remarks.extend(why);
        if symmetry.is_empty() {
            checking.reductions = checking.reductions.without_symmetry();
        }
    }
    if checking.reductions.transactions() {
        match Transactional::new(smaller.as_ref().unwrap_or(system).clone()) {
            Ok(system) => remarks.push(locking(system.locks(), system.protected())),
            Err(obstacle) => {
                remarks.push(format!("every order of steps is followed: {obstacle}"));
                checking.reductions = checking.reductions.without_transactions();
            }
        }
    }
    Fitting { checking, smaller, remarks }
}

/// What is told about locks.
fn locking(locks: &[String], protected: &[String]) -> String {
    if locks.is_empty() {
        return "no variable is a lock: only steps that nobody can disturb belong together"
            .to_owned();
    }
    let protected = match protected {
        [] => "no variable".to_owned(),
        some => some.join(", "),
    };
    format!("locks: {}; they protect {protected}", locks.join(", "))
}

fn reduced(system: &Interpreter, reductions: &Reductions) -> Option<Interpreter> {
    let passes = reductions.passes();
    if passes.is_empty() {
        return None;
    }
    let machine = optimise(system.machine(), &passes, &Observed::default());
    Some(Interpreter::new(Arc::new(machine)).braked_as(system))
}
