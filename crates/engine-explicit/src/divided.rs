//! The steps of a state in the order in which searches count them.
//!
//! Where steps are divided into parts, those of the last part come first, so that the steps of a
//! part can be remembered and need not be asked for again.

use everypath_model::{ModelError, Parts, Successors, TransitionSystem};

use crate::forest::COMPONENTS;

/// Writes all steps of a state. `out` is cleared by the caller.
#[inline]
pub(crate) fn steps<S: TransitionSystem>(
    system: &S,
    worker: &mut S::Worker,
    parts: Option<&Parts>,
    state: &[u32],
    out: &mut Successors,
) -> Result<(), ModelError> {
    match parts {
        Some(parts) if !parts.in_order => part_by_part(system, worker, parts, state, out),
        _ => system.successors(worker, state, out),
    }
}

fn part_by_part<S: TransitionSystem>(
    system: &S,
    worker: &mut S::Worker,
    parts: &Parts,
    state: &[u32],
    out: &mut Successors,
) -> Result<(), ModelError> {
    let mut ends = Vec::new();
    system.components(state, &mut ends);
    if ends.len() >= COMPONENTS {
        return system.successors(worker, state, out);
    }
    for (part, &component) in parts.components.iter().enumerate().rev() {
        let component = component as usize;
        let start = if component == 0 { 0 } else { *ends.get(component - 1).unwrap_or(&0) };
        if ends.get(component).is_some_and(|&end| end > start) {
            system.part_steps(worker, state, part, out)?;
        }
    }
    // Some steps are there only if there are no others.
    if out.is_empty() && out.incomplete.is_none() {
        system.successors(worker, state, out)?;
    }
    Ok(())
}
