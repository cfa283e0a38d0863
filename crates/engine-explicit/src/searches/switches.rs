//! Among the shortest runs to a violation, one with the fewest context switches.
//!
//! A run of fewest steps visits at step `i` only states at distance `i`, so it is enough to look
//! forward level by level, in a store of its own. Per state only the processes matter that moved last on a cheapest run to
//! it: who arrives with one switch more is never better, since a single switch buys any process.

use std::collections::HashMap;
use std::ops::Range;
use std::sync::atomic::Ordering;

use everypath_model::{Action, End, ModelError, Step, Successors, TransitionSystem};

use crate::ledger::Ledger;
use crate::options::Options;
use crate::outcome::{Kind, Outcome, Violation};
use crate::searches::path::Path;
use crate::stores::vectors::{StateRef, Vectors};

/// A shortest run and what is known of its context switches.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fewest {
    /// The run.
    pub path: Path,
    /// Number of its context switches.
    pub switches: u64,
    /// Whether no run of this length to the same violation has fewer.
    pub exact: bool,
}

/// Pairs that are looked at after a reduced search in any case.
const REDUCED_PAIRS: u64 = 300_000;

/// The process before the first action.
const NOBODY: u32 = u32::MAX;

/// A cheapest way to be in a state with a process that moved last.
#[derive(Clone, Copy)]
struct Pair {
    at: StateRef,
    process: u32,
    cost: u32,
    /// Position in the level before.
    parent: u32,
    /// Which step of the parent's state.
    ordinal: u32,
}

/// The best end of a run so far.
struct Best {
    cost: u32,
    level: usize,
    pair: u32,
    /// The last step, unless the run ends in the state of the pair.
    ordinal: Option<u32>,
}

impl Outcome {
    /// A run to the same violation, as short, with the fewest context switches. After a reduced
    /// or directed search, or random runs, it is a shortest run of the whole system.
    ///
    /// For a deadlock, every deadlock with the same key is the same violation. The run found by the
    /// search is returned, and not called exact, if more than
    /// [`max_switch_pairs`](Options::max_switch_pairs) would be needed or the search was depth-first.
    /// `options` are those of the search.
    pub fn fewest_switches<S: TransitionSystem>(
        &self,
        system: &S,
        options: &Options<'_>,
        violation: &Violation,
    ) -> Result<Fewest, ModelError> {
        let plain = self.path(system, violation)?;
        let plain_switches = plain.switches();
        let mut fewest = Fewest { path: plain, switches: plain_switches, exact: false };
        if self.reached.logs.is_none() && !self.reached.detours {
            return Ok(fewest);
        }
        let detours = self.reached.reduced || self.reached.detours;
        if violation.depth == 0 || plain_switches == 0 && !detours {
            fewest.exact = true;
            return Ok(fewest);
        }
        let mut levels = Levels::new(system, options, detours);
        if detours {
            levels.max_pairs = levels.max_pairs.min(worth(violation));
        }
        let found = levels.run(violation.kind, violation.depth)?;
        Ok(found.unwrap_or(fewest))
    }
}

/// A shortest run of a system to the same violation as one that was found in a smaller system, with
/// the fewest context switches. `depth` is the number of steps that are enough. There is none if it
/// would take too many pairs.
pub fn shortest_run<S: TransitionSystem>(
    system: &S,
    options: &Options<'_>,
    violation: &Violation,
    depth: u64,
) -> Result<Option<Fewest>, ModelError> {
    let mut levels = Levels::new(system, options, true);
    levels.max_pairs = levels.max_pairs.min(worth(violation));
    levels.run(violation.kind, depth)
}

/// Pairs that a shorter run is worth: about as much as the search for the violation was.
fn worth(violation: &Violation) -> usize {
    violation.states.saturating_mul(4).max(REDUCED_PAIRS) as usize
}

struct Levels<'a, S> {
    system: &'a S,
    options: &'a Options<'a>,
    store: Vectors,
    ledger: Ledger,
    /// The states at distance `i` lie from `bounds[i]` up to `bounds[i + 1]`.
    bounds: Vec<StateRef>,
    /// Whether there may be a shorter run than the one that was found.
    detours: bool,
    max_pairs: usize,
}

impl<'a, S: TransitionSystem> Levels<'a, S> {
    fn new(system: &'a S, options: &'a Options<'a>, detours: bool) -> Levels<'a, S> {
        Levels {
            system,
            options,
            store: Vectors::new(system.carried()),
            // The pairs are counted, the states in them are weighed.
            ledger: Ledger::new(Some(options.max_switch_pairs as u64 * 64)),
            bounds: vec![StateRef::default()],
            detours,
            max_pairs: options.max_switch_pairs,
        }
    }

    /// The best run, or `None` if that takes too many pairs.
    fn run(&mut self, kind: Kind, depth: u64) -> Result<Option<Fewest>, ModelError> {
        let Some(ordinals) = self.search(kind, depth as usize)? else { return Ok(None) };
        let path = Path::replay(self.system, ordinals, false, None)?;
        let switches = path.switches();
        Ok(Some(Fewest { path, switches, exact: true }))
    }

    /// The numbers of the steps of the best run, or `None` if that takes too many pairs.
    fn search(&mut self, kind: Kind, depth: usize) -> Result<Option<Vec<u32>>, ModelError> {
        let mut worker = self.system.worker();
        let at_state = matches!(kind, Kind::Deadlock(_));
        let mut steps = Successors::new();
        let mut best: Option<Best> = None;
        if self.detours
            && let Some(ordinal) = self.violated_root(&mut worker, kind)?
        {
            return Ok(Some(vec![ordinal]));
        }
        let Some(roots) = self.roots(&mut worker)? else { return Ok(None) };
        let mut levels: Vec<Vec<Pair>> = vec![roots];
        let mut total = levels[0].len();
        for level in 0..depth {
            let last = self.detours || level + 1 == depth;
            let bound = self.store.end();
            self.bounds.push(bound);
            let mut next: Vec<Pair> = Vec::new();
            let mut index: HashMap<(StateRef, u32), u32, foldhash::fast::FixedState> =
                HashMap::default();
            let (mut start, mut expanded) = (0, 0u32);
            while start < levels[level].len() {
                let group = group(&levels[level], start);
                steps.clear();
                self.system.successors(&mut worker, self.store.get(group[0].at), &mut steps)?;
                expanded += 1;
                if expanded.is_multiple_of(64) && self.is_late() {
                    return Ok(None);
                }
                for (ordinal, step) in steps.steps().iter().enumerate() {
                    let ordinal = ordinal as u32;
                    let actions = steps.actions(step);
                    let violates = last && self.violates(&mut worker, &steps, step, kind)?;
                    let at = if violates || step.fatal || level + 1 == depth && !at_state {
                        None
                    } else {
                        match self.store.insert(steps.target(step), &self.ledger) {
                            Ok(inserted) => Some(inserted.at).filter(|&at| at >= bound),
                            Err(_) => return Ok(None),
                        }
                    };
                    for from in cheapest(group, actions) {
                        let cost = group[from].cost + switches(group[from].process, actions);
                        let process = actions.last().map_or(group[from].process, |a| a.process);
                        let parent = (start + from) as u32;
                        if violates && best.as_ref().is_none_or(|best| cost < best.cost) {
                            best = Some(Best { cost, level, pair: parent, ordinal: Some(ordinal) });
                        }
                        let Some(at) = at else { continue };
                        let pair = Pair { at, process, cost, parent, ordinal };
                        let fresh = next.len() as u32;
                        let known = *index.entry((at, process)).or_insert(fresh);
                        if known == fresh {
                            if total + next.len() >= self.max_pairs {
                                return Ok(None);
                            }
                            next.push(pair);
                        } else if cost < next[known as usize].cost {
                            next[known as usize] = pair;
                        }
                    }
                }
                start += group.len();
            }
            keep_cheapest(&mut next);
            total += next.len();
            levels.push(next);
            if at_state && last {
                best = self.deadlocks(&mut worker, kind, &levels[level + 1], level + 1)?;
            }
            if best.is_some() {
                break;
            }
        }
        Ok(best.map(|best| run(&levels, &best)))
    }

    /// Whether the time is over in which a better run is worth anything.
    fn is_late(&self) -> bool {
        self.options.interrupt.is_some_and(|interrupt| interrupt.load(Ordering::Relaxed))
            || self.options.expired.is_some_and(|expired| expired())
    }

    /// The initial states, each once.
    fn roots(&mut self, worker: &mut S::Worker) -> Result<Option<Vec<Pair>>, ModelError> {
        let mut steps = Successors::new();
        self.system.initial(worker, &mut steps)?;
        let mut roots: Vec<Pair> = Vec::new();
        for (ordinal, step) in steps.steps().iter().enumerate() {
            if step.fatal {
                continue;
            }
            let Ok(inserted) = self.store.insert(steps.target(step), &self.ledger) else {
                return Ok(None);
            };
            let at = inserted.at;
            let ordinal = ordinal as u32;
            roots.push(Pair { at, process: NOBODY, cost: 0, parent: 0, ordinal });
        }
        roots.sort_by_key(|pair| pair.at);
        roots.dedup_by_key(|pair| pair.at);
        Ok(Some(roots))
    }

    /// The initial step that is the violation.
    fn violated_root(&self, worker: &mut S::Worker, kind: Kind) -> Result<Option<u32>, ModelError> {
        let mut roots = Successors::new();
        self.system.initial(worker, &mut roots)?;
        let mut steps = Successors::new();
        for (ordinal, root) in roots.steps().iter().enumerate() {
            let violated = match kind {
                Kind::Deadlock(_) if root.fatal => false,
                Kind::Deadlock(_) => self.deadlock(worker, &mut steps, kind, roots.target(root))?,
                _ => self.violates(worker, &roots, root, kind)?,
            };
            if violated {
                return Ok(Some(ordinal as u32));
            }
        }
        Ok(None)
    }

    /// Whether a step of the last level is or reaches the violation.
    fn violates(
        &self,
        worker: &mut S::Worker,
        steps: &Successors,
        step: &Step,
        kind: Kind,
    ) -> Result<bool, ModelError> {
        Ok(match kind {
            Kind::Fault(fault) => step.fault == Some(fault),
            Kind::Invariant(fault) => {
                let target = steps.target(step);
                let mut found = false;
                for index in 0..self.system.invariant_count() {
                    found |= !step.fatal
                        && self.system.violated_invariant(worker, target, index)? == Some(fault);
                }
                found
            }
            Kind::Deadlock(_) => false,
        })
    }

    /// The cheapest of the pairs of a level that is a deadlock of the kind.
    fn deadlocks(
        &self,
        worker: &mut S::Worker,
        kind: Kind,
        pairs: &[Pair],
        level: usize,
    ) -> Result<Option<Best>, ModelError> {
        let mut best: Option<Best> = None;
        let mut steps = Successors::new();
        for (index, pair) in pairs.iter().enumerate() {
            if best.as_ref().is_some_and(|best| best.cost <= pair.cost) {
                continue;
            }
            if self.deadlock(worker, &mut steps, kind, self.store.get(pair.at))? {
                best = Some(Best { cost: pair.cost, level, pair: index as u32, ordinal: None });
            }
        }
        Ok(best)
    }

    /// Whether a state is a deadlock of the kind.
    fn deadlock(
        &self,
        worker: &mut S::Worker,
        steps: &mut Successors,
        kind: Kind,
        state: &[u32],
    ) -> Result<bool, ModelError> {
        steps.clear();
        self.system.successors(worker, state, steps)?;
        Ok(steps.may_end()
            && steps.incomplete.is_none()
            && self.system.end(worker, state) == End::Deadlock
            && kind == self.options.deadlock(state))
    }
}

/// The pairs from `start` on that are about one state.
fn group(level: &[Pair], start: usize) -> &[Pair] {
    let rest = &level[start..];
    let len = rest.iter().take_while(|pair| pair.at == rest[0].at).count();
    &rest[..len]
}

/// Number of switches that `actions` add after a move of `process`.
fn switches(process: u32, actions: &[Action]) -> u32 {
    let Some(first) = actions.first() else {
        return 0;
    };
    let before = process != NOBODY && process != first.process;
    let inside = actions.windows(2).filter(|pair| pair[0].process != pair[1].process).count();
    u32::from(before) + inside as u32
}

/// Which pairs of a group a step should follow. All cost the same, so one is enough: one whose
/// process makes the first action, if there is any. After a step without actions all still differ.
fn cheapest(group: &[Pair], actions: &[Action]) -> Range<usize> {
    let Some(first) = actions.first() else {
        return 0..group.len();
    };
    let stays = |pair: &Pair| pair.process == first.process || pair.process == NOBODY;
    let from = group.iter().position(stays).unwrap_or(0);
    from..from + 1
}

/// Sorts pairs by state and drops those that cost more than another of the same state.
fn keep_cheapest(level: &mut Vec<Pair>) {
    level.sort_by_key(|pair| (pair.at, pair.cost));
    let mut least = (None, 0);
    level.retain(|pair| {
        if least.0 != Some(pair.at) {
            least = (Some(pair.at), pair.cost);
        }
        pair.cost == least.1
    });
    level.shrink_to_fit();
}

/// The numbers of the steps of a run, the initial one first.
fn run(levels: &[Vec<Pair>], best: &Best) -> Vec<u32> {
    let mut ordinals: Vec<u32> = best.ordinal.into_iter().collect();
    let mut pair = best.pair;
    for level in levels[..=best.level].iter().rev() {
        let Pair { parent, ordinal, .. } = level[pair as usize];
        ordinals.push(ordinal);
        pair = parent;
    }
    ordinals.reverse();
    ordinals
}
