//! What is remarkable about a run.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::{Role, Trace};

/// One remark about a run.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Explanation {
    /// `lost-update`
    pub kind: String,
    /// The steps it speaks of, in order.
    pub steps: Vec<u64>,
    /// The variable it speaks of.
    pub variable: Option<String>,
    /// One sentence.
    pub text: String,
}

/// Finds the remarks and marks the steps that they speak of as causes.
///
/// A lost update is reported only for a variable that the violated property reads: somebody wrote
/// it last without having read it since another process wrote it.
pub fn explain(trace: &mut Trace) {
    let Some(failure) = trace.steps.last() else {
        return;
    };
    let variables: Vec<String> = failure.reads.keys().cloned().collect();
    let found: Vec<Explanation> =
        variables.iter().filter_map(|variable| lost_update(trace, variable)).collect();
    for explanation in &found {
        for &number in &explanation.steps {
            let step = &mut trace.steps[number as usize - 1];
            step.role.get_or_insert(Role::Cause);
        }
    }
    trace.explain.extend(found);
}

/// The last write of a variable, if it overwrites one that its writer has not seen.
fn lost_update(trace: &Trace, variable: &str) -> Option<Explanation> {
    let steps = &trace.steps;
    let write = steps.iter().rposition(|step| step.set.contains_key(variable))?;
    let writer = steps[write].lane;
    let read = (0..=write)
        .rev()
        .find(|&i| steps[i].lane == writer && steps[i].reads.contains_key(variable))?;
    let between = (read + 1..write)
        .rev()
        .find(|&i| steps[i].lane != writer && steps[i].set.contains_key(variable))?;
    let (me, other) = (trace.lane_title(&steps[write]), trace.lane_title(&steps[between]));
    let [read, between, write] = [read, between, write].map(|i| steps[i].i);
    Some(Explanation {
        kind: "lost-update".to_owned(),
        steps: vec![read, between, write],
        variable: Some(variable.to_owned()),
        text: format!(
            "{me} read {variable} at step {read} and wrote it at step {write}; \
             {other} wrote {variable} in between (step {between})"
        ),
    })
}
