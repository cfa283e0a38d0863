//! Cycles of bad states.
//!
//! All states of a cycle are bad, or none, so a cycle of bad states is there exactly if some step leads from
//! a bad state to one that is on the stack. Only bad states lose their marks when they leave it.
//!
//! With several threads a bad state that is marked may be on the stack of another one. Then it is searched
//! once more: it counts as done, and loses its mark, when somebody has seen that all it leads to is done. No
//! state of a cycle can be the first of it for which that is so. Threads take steps in opposite orders, so
//! that they meet in the middle of what is left instead of walking side by side.
//!
//! A lossy store has no marks; then a cycle is a step to a state that is on the stack for sure, by its key.

use everypath_model::TransitionSystem;
use rustc_hash::{FxHashMap, FxHashSet};

use super::{Frame, Recorded, Search};
use crate::options::Cycles;
use crate::outcome::Kind;
use crate::searches::record::Halt;
use crate::stores::store::{Full, Name, Store, StoreWorker};

/// Values of key bits of which it is remembered whether they mean a bad state.
const MOST_KNOWN: usize = 1 << 16;

/// What one thread knows about bad states.
pub(super) struct Watch<'s> {
    cycles: Cycles<'s>,
    /// Whether it takes the steps of bad states from the last one to the first.
    pub backwards: bool,
    /// The arrangement of the store that the rest is valid for.
    epoch: u32,
    version: u32,
    /// The bits of keys that tell, if there are keys.
    bits: Option<u64>,
    known: FxHashMap<u64, bool>,
    /// The keys of the bad states on its stack, if others have stacks, too, or marks do not tell.
    own: Option<FxHashSet<u64>>,
    /// Whether marks tell what is done.
    exact: bool,
    ends: Vec<u32>,
}

impl<'s> Watch<'s> {
    /// That of one thread, or of the only one.
    pub fn new(cycles: Cycles<'s>, thread: Option<usize>, exact: bool) -> Watch<'s> {
        Watch {
            cycles,
            backwards: thread.is_some_and(|thread| thread % 2 == 1),
            epoch: u32::MAX,
            version: u32::MAX,
            bits: None,
            known: FxHashMap::default(),
            own: (thread.is_some() || !exact).then(FxHashSet::default),
            exact,
            ends: Vec::new(),
        }
    }

    /// Whether a state is bad.
    fn judge<S: TransitionSystem>(&mut self, system: &S, state: &[u32]) -> bool {
        self.ends.clear();
        system.components(state, &mut self.ends);
        let component = self.cycles.component;
        let start = match component {
            0 => system.carried(),
            _ => self.ends.get(component - 1).map_or(state.len(), |&end| end as usize),
        };
        let end = self.ends.get(component).map_or(state.len(), |&end| end as usize);
        (self.cycles.bad)(&state[start.min(end)..end])
    }
}

impl<S: TransitionSystem, T: Store> Search<'_, S, T> {
    /// Whether the state whose record is the last one and begins at `start` is bad.
    #[inline]
    pub(super) fn is_bad(&mut self, version: u32, start: usize) -> bool {
        if self.watch.is_none() {
            return false;
        }
        self.renew_watch();
        let Some(watch) = &self.watch else { return false };
        let record = &self.records[start..];
        let code = match (watch.bits, record) {
            (Some(bits), [low, high, ..]) if version == watch.version => {
                Some((u64::from(*low) | u64::from(*high) << 32) & bits)
            }
            _ => None,
        };
        if let Some(code) = code
            && let Some(&known) = watch.known.get(&code)
        {
            return known;
        }
        self.store.open(version, record);
        let Some(watch) = &mut self.watch else { return false };
        let bad = watch.judge(self.system, self.store.state());
        if let Some(code) = code
            && watch.known.len() < MOST_KNOWN
        {
            watch.known.insert(code, bad);
        }
        bad
    }

    /// Adjusts what is known to the arrangement of the store.
    #[inline]
    fn renew_watch(&mut self) {
        let epoch = self.store.epoch();
        if self.watch.as_ref().is_some_and(|watch| watch.epoch != epoch) {
            self.adjust_watch(epoch);
        }
    }

    #[cold]
    fn adjust_watch(&mut self, epoch: u32) {
        let Some(watch) = &mut self.watch else { return };
        watch.epoch = epoch;
        watch.bits = self.store.key_bits(watch.cycles.component);
        watch.known.clear();
        let version = self.store.version();
        if version == watch.version {
            return;
        }
        watch.version = version;
        let Some(own) = &mut watch.own else { return };
        own.clear();
        let mut end = self.records.len();
        for frame in self.stack.iter().rev() {
            let start = frame.record as usize;
            if frame.bad {
                own.extend(self.store.key_of(frame.version, &self.records[start..end]));
            }
            end = start;
        }
    }

    /// A bad state was put on the stack.
    pub(super) fn enter_cycle(&mut self, frame: Frame) {
        self.renew_watch();
        let Some(own) = self.watch.as_mut().and_then(|watch| watch.own.as_mut()) else { return };
        own.extend(self.store.key_of(frame.version, &self.records[frame.record as usize..]));
    }

    /// A bad state, the topmost one, is done.
    pub(super) fn leave_cycle(&mut self, frame: Frame) {
        self.renew_watch();
        let Some(own) = self.watch.as_mut().and_then(|watch| watch.own.as_mut()) else { return };
        let record = &self.records[frame.record as usize..];
        if let Some(key) = self.store.key_of(frame.version, record) {
            own.remove(&key);
        }
    }

    /// Follows a step from a bad state to one that was there, with a mark: that is a cycle, or the state is
    /// on the stack of another thread and has to be searched once more, or it is not bad.
    #[cold]
    pub(super) fn met(&mut self, name: Name, target: &[u32]) -> Result<Option<Recorded>, Halt> {
        let ledger = self.record.shared.ledger;
        if !ledger.grow_by(&mut self.records, target.len() + 2, &mut self.stack_bytes) {
            return Err(Full::Memory.into());
        }
        let start = self.records.len();
        let version = self.store.version();
        self.store.record(name, target, &mut self.records);
        if !self.is_bad(version, start) {
            self.records.truncate(start);
            return Ok(None);
        }
        let Some(watch) = &self.watch else { return Ok(None) };
        let own = match &watch.own {
            Some(own) => {
                let key = self.store.key_of(version, &self.records[start..]);
                key.is_none_or(|key| own.contains(&key))
            }
            None => true,
        };
        if !own && !watch.exact {
            self.records.truncate(start);
            return Ok(None);
        }
        if !own {
            return Ok(Some(Recorded { start: start as u64, version, again: true }));
        }
        let fault = watch.cycles.fault;
        self.records.truncate(start);
        self.violation(Kind::Fault(fault), self.depth())?;
        Ok(None)
    }
}
