//! The steps of a state in the order in which searches count them.
//!
//! Where steps are divided into parts, those of the last part come first, so that the steps of a
//! part can be remembered and need not be asked for again.

use everypath_model::{ModelError, Parts, Successors, TransitionSystem};

use crate::stores::forest::COMPONENTS;

/// Remembers whether it is worth a try to ask for the steps of all parts at once.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Divider {
    /// States that are not worth it.
    rest: u32,
}

/// States after one whose steps were not in order.
const REST: u32 = 64;

impl Divider {
    /// [`steps`], for many states.
    #[inline]
    pub fn steps<S: TransitionSystem>(
        &mut self,
        system: &S,
        worker: &mut S::Worker,
        parts: Option<&Parts>,
        state: &[u32],
        out: &mut Successors,
    ) -> Result<(), ModelError> {
        if self.rest > 0 {
            self.rest -= 1;
            return steps(system, worker, parts, state, out);
        }
        system.successors(worker, state, out)?;
        if out.late && parts.is_some_and(|parts| !parts.in_order) {
            self.rest = REST;
            out.clear();
            return steps(system, worker, parts, state, out);
        }
        debug_assert!(is_in_order(system, worker, parts, state, out));
        Ok(())
    }
}

/// Whether steps are in the order of parts.
fn is_in_order<S: TransitionSystem>(
    system: &S,
    worker: &mut S::Worker,
    parts: Option<&Parts>,
    state: &[u32],
    out: &Successors,
) -> bool {
    let mut again = Successors::new();
    let made = steps(system, worker, parts, state, &mut again);
    if made.as_ref().is_err_and(|error| error.why_ended().is_some()) {
        return true;
    }
    let same = |(a, b)| out.target(a) == again.target(b) && out.actions(a) == again.actions(b);
    made.is_ok() && out.len() == again.len() && out.steps().iter().zip(again.steps()).all(same)
}

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
