//! What can still happen after a state: every statement that the control flow of a process leads
//! to, and what it may do.

use everypath_model::Standing;
use rustc_hash::{FxHashMap, FxHashSet};

use crate::footprint::{CellKey, Effect, Knowledge, SpaceOf, Who, pass};
use crate::machine::{Machine, TransitionKind};
use crate::shape::Shape;

/// Statements that are looked at before nothing is said about who could help.
const BUDGET: usize = 200_000;

/// A statement of somebody, and one thing that it may do.
#[derive(Clone, Debug)]
pub(crate) struct Prospect {
    /// The process that executes it, or that starts the one that does; `None` if there is none.
    pub process: Option<usize>,
    pub who: Who,
    pub transition: u32,
    pub effect: Effect,
    pub standing: Standing,
}

/// All prospects of a state.
pub(crate) struct Outlook {
    pub prospects: Vec<Prospect>,
    by_channel: FxHashMap<i32, Vec<usize>>,
    any_channel: Vec<usize>,
    by_cell: FxHashMap<CellKey, Vec<usize>>,
}

/// A statement that somebody can or cannot come to.
struct Candidate {
    process: Option<usize>,
    who: Who,
    transition: u32,
    standing: Standing,
}

impl Outlook {
    /// The prospects of a state; `None` if there are too many to look at.
    pub fn of(machine: &Machine, state: &[u32], shape: &Shape) -> Option<Outlook> {
        let candidates = candidates(machine, state, shape)?;
        // First what may be written at all, then what the rest makes known.
        let nothing = FxHashMap::default();
        let blank = Knowledge { machine, state, shape, written: None, parameters: &nothing };
        // Every move is noted where `_last` is kept.
        let last = machine.last.map(|field| (SpaceOf::Global, field.bit));
        let mut written: FxHashSet<CellKey> = last.into_iter().collect();
        for candidate in candidates.iter().filter(|c| c.standing.can_act()) {
            for effect in effects(&blank, candidate)? {
                if let Effect::Write { cells, .. } = effect {
                    written.extend(cells);
                }
            }
        }
        let knowledge = Knowledge { written: Some(&written), ..blank };
        let mut parameters = FxHashMap::default();
        for candidate in &candidates {
            for effect in effects(&knowledge, candidate)? {
                if let Effect::Run { proctype, arguments } = effect {
                    pass(machine, &mut parameters, proctype, &arguments);
                }
            }
        }
        let knowledge = Knowledge { parameters: &parameters, ..knowledge };
        let mut outlook = Outlook {
            prospects: Vec::new(),
            by_channel: FxHashMap::default(),
            any_channel: Vec::new(),
            by_cell: FxHashMap::default(),
        };
        for candidate in &candidates {
            for effect in effects(&knowledge, candidate)? {
                outlook.add(candidate, effect);
            }
        }
        Some(outlook)
    }

    fn add(&mut self, candidate: &Candidate, effect: Effect) {
        let index = self.prospects.len();
        match &effect {
            Effect::Write { cells, .. } => {
                for &cell in cells {
                    self.by_cell.entry(cell).or_default().push(index);
                }
            }
            Effect::Send { channel, .. } | Effect::Receive { channel, .. } => {
                match channel.values() {
                    Some(channels) => {
                        for &channel in channels {
                            self.by_channel.entry(channel).or_default().push(index);
                        }
                    }
                    None => self.any_channel.push(index),
                }
            }
            Effect::Run { .. } => return,
        }
        let Candidate { process, who, transition, standing } = *candidate;
        self.prospects.push(Prospect { process, who, transition, effect, standing });
    }

    /// Sends and receives that may use a channel, in order of processes and statements.
    pub fn of_channel(&self, channel: i32) -> impl Iterator<Item = &Prospect> {
        let known = self.by_channel.get(&channel).into_iter().flatten();
        let mut all: Vec<usize> = known.chain(&self.any_channel).copied().collect();
        all.sort_unstable();
        all.into_iter().map(|index| &self.prospects[index])
    }

    /// Writes of a variable.
    pub fn of_cell(&self, cell: CellKey) -> impl Iterator<Item = &Prospect> {
        self.by_cell.get(&cell).into_iter().flatten().map(|&index| &self.prospects[index])
    }
}

fn effects(knowledge: &Knowledge<'_>, candidate: &Candidate) -> Option<Vec<Effect>> {
    let transition = &knowledge.machine.transitions[candidate.transition as usize];
    match transition.kind {
        TransitionKind::Code => knowledge.effects(candidate.who, transition.code),
        TransitionKind::Else | TransitionKind::End => Some(Vec::new()),
    }
}

/// The transitions that the control flow of a proctype leads to from a location.
fn reachable(machine: &Machine, ty: u16, from: usize) -> Vec<u32> {
    let locations = &machine.proctypes[usize::from(ty)].locations;
    let mut seen = vec![false; locations.len()];
    let mut open = vec![from];
    seen[from] = true;
    let mut found: FxHashSet<u32> = FxHashSet::default();
    while let Some(at) = open.pop() {
        for edge in &locations[at].edges {
            found.insert(edge.transition);
            let transition = &machine.transitions[edge.transition as usize];
            let to = usize::from(transition.target);
            if transition.kind != TransitionKind::End && !std::mem::replace(&mut seen[to], true) {
                open.push(to);
            }
        }
    }
    let mut found: Vec<u32> = found.into_iter().collect();
    found.sort_unstable();
    found
}

/// The proctypes that some transitions start.
fn started(knowledge: &Knowledge<'_>, who: Who, transitions: &[u32]) -> Option<Vec<u16>> {
    let mut found = Vec::new();
    for &transition in transitions {
        let candidate = Candidate { process: None, who, transition, standing: Standing::Ahead };
        for effect in effects(knowledge, &candidate)? {
            if let Effect::Run { proctype, .. } = effect {
                found.push(proctype);
            }
        }
    }
    Some(found)
}

/// Every statement with somebody who can or could execute it: first what can still happen.
fn candidates(machine: &Machine, state: &[u32], shape: &Shape) -> Option<Vec<Candidate>> {
    let nothing = FxHashMap::default();
    let knowledge = Knowledge { machine, state, shape, written: None, parameters: &nothing };
    let mut all: Vec<Candidate> = Vec::new();
    let mut past: Vec<Candidate> = Vec::new();
    let mut possible = vec![false; machine.proctypes.len()];
    // What each proctype leads to from its start, and starts in turn.
    let whole: Vec<(Vec<u32>, Vec<u16>)> = (0..machine.proctypes.len())
        .map(|ty| {
            let start = usize::from(machine.proctypes[ty].start);
            let transitions = reachable(machine, ty as u16, start);
            let starts = started(&knowledge, Who::Future(ty as u16), &transitions)?;
            Some((transitions, starts))
        })
        .collect::<Option<_>>()?;
    for (pid, slot) in shape.processes.iter().enumerate() {
        possible[usize::from(slot.ty)] = true;
        let location = machine.head.location.get(&state[slot.offset as usize..]) as usize;
        let ahead = reachable(machine, slot.ty, location);
        let ended = location == usize::from(machine.proctypes[usize::from(slot.ty)].end);
        let push = |list: &mut Vec<Candidate>, who, transition, standing| {
            list.push(Candidate { process: Some(pid), who, transition, standing });
        };
        for &transition in &ahead {
            push(&mut all, Who::Live(pid), transition, Standing::Ahead);
        }
        let standing = if ended { Standing::Ended } else { Standing::Past };
        for &transition in &whole[usize::from(slot.ty)].0 {
            if ahead.binary_search(&transition).is_err() {
                push(&mut past, Who::Live(pid), transition, standing);
            }
        }
        // Processes that it can start, and those that they can start.
        let mut open = started(&knowledge, Who::Live(pid), &ahead)?;
        let mut seen = vec![false; machine.proctypes.len()];
        while let Some(ty) = open.pop() {
            if std::mem::replace(&mut seen[usize::from(ty)], true) {
                continue;
            }
            possible[usize::from(ty)] = true;
            let (transitions, starts) = &whole[usize::from(ty)];
            for &transition in transitions {
                push(&mut all, Who::Future(ty), transition, Standing::Starts);
            }
            open.extend(starts);
        }
        if all.len() + past.len() > BUDGET {
            return None;
        }
    }
    all.append(&mut past);
    for (ty, (transitions, _)) in whole.iter().enumerate().filter(|(ty, _)| !possible[*ty]) {
        for &transition in transitions {
            let who = Who::Future(ty as u16);
            let standing = Standing::Absent;
            all.push(Candidate { process: None, who, transition, standing });
        }
    }
    Some(all)
}
