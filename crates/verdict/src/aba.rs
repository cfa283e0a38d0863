//! The ABA problem: a compare-and-set that succeeds because a variable has again the value that was read, though
//! it was another one in between.

use crate::{Explanation, Trace, TraceStep, value_text};

/// What statements with a compare-and-set contain, in the languages that have it.
const WORDS: [&str; 3] = ["compareandset", "compareandexchange", "compare_exchange"];

/// Finds the last compare-and-set of that kind.
pub(crate) fn aba(trace: &Trace) -> Option<Explanation> {
    (0..trace.steps.len()).rev().find_map(|set| at(trace, set))
}

fn at(trace: &Trace, set: usize) -> Option<Explanation> {
    let steps = &trace.steps;
    let step = &steps[set];
    let text = step.text.to_lowercase();
    if !WORDS.iter().any(|word| text.contains(word)) {
        return None;
    }
    // The variable that it is about was read by the same process, and is named in the statement.
    let own = |at: &usize| steps[*at].lane == step.lane;
    let (read, variable) = (0..set).rev().filter(own).find_map(|at| {
        let named = |name: &&String| is_named(step, name);
        Some((at, steps[at].reads.keys().find(named)?))
    })?;
    let seen = &steps[read].reads[variable];
    let writes = |at: &usize| steps[*at].set.contains_key(variable) && !own(at);
    let between: Vec<usize> = (read + 1..set).filter(writes).collect();
    let away = *between.iter().find(|&&at| steps[at].set[variable] != *seen)?;
    let back = *between.last()?;
    // If it was somebody else's value in the end, the compare-and-set fails.
    if steps[back].set[variable] != *seen || back == away {
        return None;
    }
    let (me, other) = (trace.lane_title(step), trace.lane_title(&steps[back]));
    let value = value_text(seen);
    let [r, a, b, s] = [read, away, back, set].map(|at| steps[at].i);
    let text = format!(
        "the ABA problem: {me} read {variable} = {value} at step {r}; it became {} at step {a}, and {other} made it \
         {value} again at step {b}, so the compare-and-set at step {s} cannot tell that it was changed",
        value_text(&steps[away].set[variable])
    );
    Some(Explanation {
        kind: "aba".to_owned(),
        steps: vec![r, a, b, s],
        variable: Some(variable.clone()),
        processes: vec![me, other],
        text,
    })
}

/// Whether a statement names a variable by the last part of its name.
fn is_named(step: &TraceStep, variable: &str) -> bool {
    let last = variable.rsplit('.').next().unwrap_or(variable);
    let last = last.split('[').next().unwrap_or(last);
    let mut words = step.text.split(|c: char| !c.is_alphanumeric() && c != '_');
    !last.is_empty() && words.any(|word| word == last)
}
