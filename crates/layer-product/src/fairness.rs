//! Weak fairness: a process that can move all the time does so again and again.

use everypath_model::{Step, Successors};

/// Processes beyond these have no mark.
pub const MOST_PROCESSES: u32 = 64;

/// A process without a mark.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Unfair {
    /// Its number.
    pub process: u32,
}

/// The processes, a bit for each, that each step of a state is fair to, for the steps with a target:
/// those that move in it, and those that cannot begin a step at all. Who only receives what another
/// one offers cannot begin.
pub fn fair(steps: &Successors, out: &mut Vec<u64>) -> Result<(), Unfair> {
    let mut able = 0;
    let first = out.len();
    for step in steps.steps() {
        let actions = steps.actions(step);
        if let Some(one) = actions.iter().find(|action| action.process >= MOST_PROCESSES) {
            return Err(Unfair { process: one.process });
        }
        able |= actions.first().map_or(0, |action| 1 << action.process);
        if !step.fatal {
            out.push(moved(steps, step));
        }
    }
    for set in &mut out[first..] {
        *set |= !able;
    }
    Ok(())
}

fn moved(steps: &Successors, step: &Step) -> u64 {
    steps.actions(step).iter().fold(0, |set, action| set | 1 << action.process)
}

#[cfg(test)]
mod tests {
    use everypath_model::{Action, ComponentMask};

    use super::*;

    #[test]
    fn a_step_is_fair_to_who_moves_and_to_who_cannot() {
        let action = |process| Action { process, transition: 0 };
        let mut steps = Successors::new();
        steps.push(&[1], ComponentMask::ALL, &[action(0)]);
        steps.push(&[2], ComponentMask::ALL, &[action(1), action(2)]);
        let mut out = Vec::new();
        assert_eq!(fair(&steps, &mut out), Ok(()));
        // Process 2 only answers, so it is not held up by anybody.
        assert_eq!(out, [!0b010, !0b001]);
        steps.push(&[3], ComponentMask::ALL, &[action(64)]);
        assert_eq!(fair(&steps, &mut out), Err(Unfair { process: 64 }));
    }
}
