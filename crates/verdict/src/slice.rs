//! The steps that the end of a run depends on.

use std::collections::{BTreeMap, BTreeSet};

use crate::{Motion, Trace};

/// The numbers of the steps that matter to what a run shows, in order.
///
/// From the failure, from the remarks about the run and from what blocked processes wait for, it is
/// followed backwards who wrote what was read, who sent what was received, which conditions let a
/// process come so far, and who started it. What is left out did not matter in this run; it is not
/// proved that the run goes without it.
pub fn slice(trace: &Trace) -> Vec<u64> {
    let index = Index::new(trace);
    let mut seen = BTreeSet::new();
    let mut open: Vec<usize> = roots(trace, &index);
    while let Some(at) = open.pop() {
        if seen.insert(at) {
            open.extend(index.causes(at));
        }
    }
    seen.into_iter().map(|at| at as u64 + 1).collect()
}

/// Where the way back begins.
fn roots(trace: &Trace, index: &Index<'_>) -> Vec<usize> {
    let end = trace.steps.len();
    let mut roots: Vec<usize> = Vec::new();
    roots.extend((0..end).filter(|&at| trace.steps[at].role.is_some()));
    roots.extend(trace.explain.iter().flat_map(|why| &why.steps).map(|&n| n as usize - 1));
    roots.extend(trace.end.parts.iter().filter_map(|part| part.step).map(|n| n as usize - 1));
    if let Some(start) = trace.loop_start {
        roots.extend(start as usize..end);
    }
    let stuck = trace.end.blocked.iter().filter(|blocked| !blocked.valid_end);
    if stuck.clone().next().is_some() {
        // Nobody goes on, so it matters where everybody is.
        roots.extend(index.steps.iter().filter_map(|steps| steps.last()));
    }
    for blocked in stuck.clone() {
        for need in &blocked.needs {
            let names = need.values.keys().chain(&need.channel);
            for name in names.flat_map(|name| [name.clone(), format!("{}.{name}", blocked.process)])
            {
                roots.extend(index.writer(&name, end));
            }
        }
    }
    if stuck.count() == 0 && !trace.steps.iter().any(|step| step.role.is_some()) {
        // A condition on states became false with the last step.
        roots.extend(end.checked_sub(1));
    }
    roots
}

/// Who wrote what, and what each process did that decided something.
struct Index<'a> {
    trace: &'a Trace,
    /// For each variable, the steps that wrote it, in order.
    writes: BTreeMap<&'a str, Vec<usize>>,
    /// For each lane, its steps, in order.
    steps: Vec<Vec<usize>>,
    /// For each lane, those that had to wait for something.
    decisions: Vec<Vec<usize>>,
    /// For each lane, the step that started it.
    births: Vec<Option<usize>>,
}

impl<'a> Index<'a> {
    fn new(trace: &'a Trace) -> Index<'a> {
        let mut writes: BTreeMap<&str, Vec<usize>> = BTreeMap::new();
        let mut steps = vec![Vec::new(); trace.lanes.len()];
        let mut decisions = vec![Vec::new(); trace.lanes.len()];
        for (at, step) in trace.steps.iter().enumerate() {
            steps[step.lane as usize].push(at);
            for name in step.set.keys() {
                writes.entry(name).or_default().push(at);
            }
            let received = step.msg.as_ref().is_some_and(|msg| msg.motion != Motion::Send);
            if received || (step.set.is_empty() && step.msg.is_none()) {
                decisions[step.lane as usize].push(at);
            }
        }
        let initial: BTreeMap<&str, ()> = trace.init.keys().map(|name| (&**name, ())).collect();
        let births = (trace.lanes.iter().zip(&steps))
            .map(|(lane, steps)| {
                let own = format!("{}.", lane.title());
                let there = with_prefix(&initial, &own).next().is_some();
                let first = *steps.first()?;
                let written = with_prefix(&writes, &own).filter_map(|(_, at)| at.first());
                written.copied().min().filter(|&at| !there && at < first)
            })
            .collect();
        Index { trace, writes, steps, decisions, births }
    }

    /// The last step before `end` that wrote a variable.
    fn writer(&self, name: &str, end: usize) -> Option<usize> {
        last_before(self.writes.get(name)?, end)
    }

    fn causes(&self, at: usize) -> Vec<usize> {
        let step = &self.trace.steps[at];
        let read = step.reads.keys().chain(&step.uses);
        let mut causes: Vec<usize> = read.filter_map(|name| self.writer(name, at)).collect();
        if let Some(msg) = &step.msg {
            let other = match msg.motion {
                Motion::Send if msg.rendezvous => msg.receiver,
                Motion::Send => None,
                Motion::Receive | Motion::Peek => msg.sender,
            };
            causes.extend(other.map(|number| number as usize - 1));
        }
        let lane = step.lane as usize;
        causes.extend(last_before(&self.decisions[lane], at));
        if step.set.is_empty()
            && step.msg.is_none()
            && step.reads.is_empty()
            && step.uses.is_empty()
        {
            // What an `else` has looked at is not known, so all of it may matter.
            causes.extend(last_before(&self.steps[lane], at));
        }
        causes.extend(self.births[lane]);
        causes
    }
}

fn last_before(sorted: &[usize], end: usize) -> Option<usize> {
    sorted[..sorted.partition_point(|&at| at < end)].last().copied()
}

fn with_prefix<'a, T>(
    map: &'a BTreeMap<&str, T>,
    prefix: &'a str,
) -> impl Iterator<Item = (&'a str, &'a T)> {
    map.range(prefix..)
        .map(|(name, value)| (*name, value))
        .take_while(move |(name, _)| name.starts_with(prefix))
}
