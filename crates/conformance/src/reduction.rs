//! Small and obvious searches of a reduced system with every cycle proviso: what a faster search is
//! compared with.

use std::collections::{BTreeSet, HashMap, HashSet, VecDeque};

use everypath_model::{End, Extent, Fault, Successors, TransitionSystem};

/// When the steps of a reduced state are accepted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Proviso {
    /// There is no reduction: all steps of all states, breadth first.
    Full,
    /// Always: sound for deadlocks only. Breadth first.
    None,
    /// One target is not on the stack. Depth first.
    Stack,
    /// One target is new. Breadth first.
    Visited,
    /// One target waits to be expanded. Breadth first.
    Queue,
    /// All targets wait to be expanded. Breadth first.
    QueueLive,
}

/// What a search found.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Found {
    /// The states, without what a store does not compare.
    pub states: HashSet<Vec<u32>>,
    /// Steps that were made, those of refused attempts included.
    pub transitions: u64,
    /// States with steps all of which were made.
    pub expanded: u64,
    /// States without steps in which some process waits for ever.
    pub deadlocks: BTreeSet<Vec<u32>>,
    /// Faults.
    pub faults: BTreeSet<Fault>,
    /// Invariants that are false somewhere.
    pub invariants: BTreeSet<usize>,
    /// Statements that were executed.
    pub executed: BTreeSet<u32>,
    /// Something was left out: a budget, or an endless sequence.
    pub incomplete: bool,
}

/// Where a state is.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Place {
    /// It waits to be expanded, or is on the stack.
    Open,
    Closed,
}

struct Search<'s, S: TransitionSystem> {
    system: &'s S,
    worker: S::Worker,
    proviso: Proviso,
    most: usize,
    places: HashMap<Vec<u32>, Place>,
    found: Found,
}

/// Searches a system up to a number of states.
pub fn search<S: TransitionSystem>(system: &S, proviso: Proviso, most: usize) -> Found {
    let worker = system.worker();
    let mut search =
        Search { system, worker, proviso, most, places: HashMap::new(), found: Found::default() };
    let mut out = Successors::new();
    let made = system.initial(&mut search.worker, &mut out);
    search.found.incomplete |= made.is_err();
    let roots = search.targets(&out);
    search.found.transitions = 0;
    if proviso == Proviso::Stack {
        roots.into_iter().for_each(|root| search.depth_first(root));
    } else {
        search.breadth_first(roots);
    }
    let mut found = search.found;
    found.states = search.places.into_keys().collect();
    found
}

impl<S: TransitionSystem> Search<'_, S> {
    fn key(&self, state: &[u32]) -> Vec<u32> {
        state[self.system.carried()..].to_vec()
    }

    /// Notes what happens in steps; their targets.
    fn targets(&mut self, out: &Successors) -> Vec<Vec<u32>> {
        self.found.transitions += out.len() as u64;
        self.found.incomplete |= out.incomplete.is_some();
        let mut targets = Vec::new();
        for step in out.steps() {
            self.found.faults.extend(step.fault);
            self.found.executed.extend(out.actions(step).iter().map(|action| action.transition));
            if !step.fatal {
                targets.push(out.target(step).to_vec());
            }
        }
        targets
    }

    /// The steps of one attempt.
    fn attempt(&mut self, state: &[u32], attempt: u32) -> (Extent, Vec<Vec<u32>>) {
        let mut out = Successors::new();
        let extent = if self.proviso == Proviso::Full {
            let made = self.system.successors(&mut self.worker, state, &mut out);
            made.map(|()| Extent::All)
        } else {
            self.system.reduced(&mut self.worker, state, attempt, &mut out)
        };
        self.found.incomplete |= extent.is_err();
        let extent = extent.unwrap_or(Extent::All);
        if extent == Extent::All {
            if !out.is_empty() {
                self.found.expanded += 1;
            } else if self.system.end(&mut self.worker, state) == End::Deadlock {
                let key = self.key(state);
                self.found.deadlocks.insert(key);
            }
        }
        let targets = self.targets(&out);
        (extent, targets)
    }

    /// Looks at a state for the first time; false if there is no room for it.
    fn visit(&mut self, state: &[u32]) -> bool {
        if self.places.len() >= self.most {
            self.found.incomplete = true;
            return false;
        }
        for index in 0..self.system.invariant_count() {
            if self.system.violated_invariant(&mut self.worker, state, index) != Ok(None) {
                self.found.invariants.insert(index);
            }
        }
        let key = self.key(state);
        self.places.insert(key, Place::Open);
        true
    }

    fn breadth_first(&mut self, roots: Vec<Vec<u32>>) {
        let mut queue: VecDeque<Vec<u32>> = VecDeque::new();
        for root in roots {
            if !self.places.contains_key(&self.key(&root)) && self.visit(&root) {
                queue.push_back(root);
            }
        }
        while let Some(state) = queue.pop_front() {
            let key = self.key(&state);
            self.places.insert(key, Place::Closed);
            for attempt in 0.. {
                let (extent, targets) = self.attempt(&state, attempt);
                let (mut new, mut open, mut all_open) = (false, false, true);
                for target in targets {
                    let key = self.key(&target);
                    let place = self.places.get(&key).copied();
                    if place.is_none() && self.visit(&target) {
                        queue.push_back(target);
                    }
                    new |= place.is_none();
                    open |= place != Some(Place::Closed);
                    all_open &= place != Some(Place::Closed);
                }
                let accepted = match self.proviso {
                    Proviso::Full | Proviso::None | Proviso::Stack => true,
                    Proviso::Visited => new,
                    Proviso::Queue => open,
                    Proviso::QueueLive => all_open,
                };
                if extent == Extent::All || accepted {
                    break;
                }
            }
        }
    }

    fn depth_first(&mut self, root: Vec<u32>) {
        struct Frame {
            state: Vec<u32>,
            targets: std::vec::IntoIter<Vec<u32>>,
            /// The next attempt, if this one is refused.
            next: Option<u32>,
            accepted: bool,
        }
        let open = |search: &mut Self, state: Vec<u32>, attempt: u32| {
            let (extent, targets) = search.attempt(&state, attempt);
            let next = (extent == Extent::Part).then_some(attempt + 1);
            Frame { state, targets: targets.into_iter(), next, accepted: false }
        };
        let key = self.key(&root);
        if self.places.contains_key(&key) || !self.visit(&root) {
            return;
        }
        let mut stack = vec![open(self, root, 0)];
        while let Some(frame) = stack.last_mut() {
            let Some(target) = frame.targets.next() else {
                match frame.next.filter(|_| !frame.accepted) {
                    Some(attempt) => *frame = open(self, frame.state.clone(), attempt),
                    None => {
                        let key = self.key(&frame.state);
                        self.places.insert(key, Place::Closed);
                        stack.pop();
                    }
                }
                continue;
            };
            let place = self.places.get(&self.key(&target)).copied();
            frame.accepted |= place != Some(Place::Open);
            if place.is_none() && self.visit(&target) {
                let frame = open(self, target, 0);
                stack.push(frame);
            }
        }
    }
}
