//! The default store: exact, and a few bytes a state.
//!
//! A vector is cut at the components that the system names; each piece is interned in a dictionary
//! of its own, and the numbers of the pieces, packed into 64 bits, are the key of the state (see
//! [`Forest`]). The keys lie in a [`Table`] of quotients. A step changes few components, so the key
//! of its target is the key of its source with a few bits replaced.

mod cut;
mod join;
mod layout;
mod memo;
mod open;
mod quick;
mod recent;
mod save;
mod sieve;
mod worker;

use std::io;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{
    Arc, Mutex, MutexGuard, PoisonError, RwLock, RwLockReadGuard, RwLockWriteGuard, TryLockError,
};

use everypath_model::{Parts, in_parallel};

use crate::ledger::Ledger;
use crate::lossy::filter::{Filter, Tally};
use crate::outcome::Loss;
use crate::stores::forest::{Forest, Shared, cut};
use crate::stores::store::{Full, Name, Store, StoreBytes, StoreWorker};
use crate::stores::table::{Plan, Table};
use crate::stores::wire::{In, Out};
use join::{Renumbering, joins, widest};
use layout::Layout;
use memo::Memo;
use open::Open;
use quick::Quick;
use recent::Recent;
use sieve::{Sieve, inherited, sample_slots};
use worker::CollapseWorker;

/// Slots of the first table.
const FIRST_SLOTS: u64 = 1 << 9;
/// Below this many bytes a table grows by four, from there on by less: what is free of a large table is
/// much memory.
const SMALL: u64 = 256 << 10;
/// By how much if nothing is known of the states to come, and at least and at most where something is.
const FACTOR: f64 = 1.4;
const FACTORS: std::ops::RangeInclusive<f64> = 1.1..=2.0;
/// What is added to a number of states that is a guess.
const MARGIN: f64 = 1.03;
/// States that all get new keys when it turns out how they are best cut, at most.
const MOST_REBUILT: u64 = 1 << 20;

/// How often it is tried to close a gate before the thread goes to sleep.
const PATIENCE: u32 = 2_000;

/// Key bits that have to be left for a table to become narrower.
const SPARE: u32 = 3;

/// Finds the ends of the components of a vector.
pub(crate) type Split<'a> = &'a (dyn Fn(&[u32], &mut Vec<u32>) + Sync);

/// One arrangement of a store.
#[derive(Debug)]
struct Epoch {
    number: u32,
    forest: Forest,
    /// The forests of earlier versions, for records that were made then.
    past: Vec<Arc<Forest>>,
    table: Arc<Table>,
}

impl Epoch {
    /// The name of the state with this key; one of no epoch if the table is too narrow for it.
    #[inline]
    fn name(&self, key: u64) -> Name {
        match self.table.admits(key) {
            true => Name { key, place: self.table.prepare(key).0, epoch: self.number },
            false => Name { key, place: 0, epoch: u32::MAX },
        }
    }
}

/// What keeps a thread's arrangement from changing under its hands. Each has a line of its own.
#[repr(align(128))]
struct Gate(RwLock<Arc<Epoch>>);

impl Gate {
    fn enter(&self) -> Option<RwLockReadGuard<'_, Arc<Epoch>>> {
        Some(self.0.read().unwrap_or_else(PoisonError::into_inner))
    }

    /// Waits until its thread is outside, which is soon: it takes longer to go to sleep and wake up.
    fn close(&self) -> RwLockWriteGuard<'_, Arc<Epoch>> {
        for _ in 0..PATIENCE {
            match self.0.try_write() {
                Ok(guard) => return guard,
                Err(TryLockError::Poisoned(guard)) => return guard.into_inner(),
                Err(TryLockError::WouldBlock) => std::hint::spin_loop(),
            }
        }
        self.0.write().unwrap_or_else(PoisonError::into_inner)
    }
}

/// A counter that all threads write, in a line of its own: what is beside it they read all the time.
#[repr(align(128))]
struct Apart(AtomicU64);

impl Apart {
    /// Adds a number, and says what came out. Who is `alone` need not fear that others do so.
    fn add(&self, more: u64, alone: bool) -> u64 {
        if !alone {
            return self.0.fetch_add(more, Ordering::Relaxed) + more;
        }
        let sum = self.0.load(Ordering::Relaxed) + more;
        self.0.store(sum, Ordering::Relaxed);
        sum
    }
}

/// An exact store of structured vectors.
pub(crate) struct Collapse<'a> {
    split: Split<'a>,
    carried: usize,
    parts: Option<Parts>,
    /// The words of a component of the first state, for which leaves are to be made, and those of its
    /// pieces.
    first: Mutex<(Vec<u32>, usize)>,
    marks: bool,
    ledger: &'a Ledger,
    gates: Box<[Gate]>,
    rearranging: Mutex<()>,
    len: Apart,
    max: AtomicU64,
    table_bytes: AtomicU64,
    /// The ledger refused a larger table: what is left of this one is used up.
    last_table: AtomicBool,
    /// States that there will probably be; 0 if nobody knows.
    expected: AtomicU64,
    /// How often the system was asked for the steps of a part.
    asked: Apart,
    /// The same, and the number of states, when there were half as many.
    before: [AtomicU64; 2],
    /// Takes the place of the table, which then has a sample of the keys.
    sieve: Option<Sieve<'a>>,
    /// Sets of words that parts touch.
    touched: Mutex<Vec<memo::Set>>,
    again: Mutex<Option<Again>>,
    /// Whether no store of another kind will do.
    steady: bool,
}

/// How a search has to begin anew.
pub(crate) enum Again {
    /// With other keys.
    Keys(Box<Forest>),
    /// With vectors: there are too many pieces to remember.
    Vectors,
    /// Without parts: what they do repeats too rarely. Also how to cut the shared component.
    Whole { shared: Option<Shared> },
    /// In a plain store: nearly every state has a piece that no other has.
    Plain,
}

/// Sets of words that parts touch which are kept.
const MOST_TOUCHED: usize = 500;
/// Between these numbers of states a search without parts may begin anew.
const JUDGED: std::ops::Range<u64> = 1 << 11..1 << 19;
/// Bytes of dictionaries a state that are more than whole vectors would need.
const USELESS: u64 = 100;

/// What a worker cannot go on without.
#[derive(Clone, Copy, Debug)]
enum Need {
    /// A number that a root has no bits for.
    Bits { version: u32, root: u32, number: u32 },
    /// Pieces of a component.
    Leaves { component: u32, parts: u32 },
    /// A larger table than the one of this epoch.
    Room { epoch: u32 },
    /// A table for wider keys.
    Domain { key: u64 },
}

enum Trouble {
    Full(Full),
    Need(Need),
}

impl From<Full> for Trouble {
    fn from(full: Full) -> Trouble {
        Trouble::Full(full)
    }
}

impl<'a> Collapse<'a> {
    /// An empty store for `threads` threads that compares vectors from word `carried` on.
    pub fn new(
        split: Split<'a>,
        carried: usize,
        parts: Option<Parts>,
        marks: bool,
        threads: usize,
        ledger: &'a Ledger,
    ) -> Result<Collapse<'a>, Full> {
        let table = make_table(Plan::new(1, FIRST_SLOTS, marks).widest(), threads, ledger)?;
        let table_bytes = AtomicU64::new(table.plan().bytes());
        let shared = parts
            .as_ref()
            .map(|Parts { shared, .. }| Shared::new(shared.component, shared.words.end));
        let epoch = Arc::new(Epoch {
            number: 0,
            forest: Forest { shared, ..Forest::default() },
            past: Vec::new(),
            table: Arc::new(table),
        });
        Ok(Collapse {
            split,
            carried,
            first: Mutex::default(),
            parts,
            marks,
            ledger,
            gates: (0..threads.max(1)).map(|_| Gate(RwLock::new(epoch.clone()))).collect(),
            rearranging: Mutex::new(()),
            len: Apart(AtomicU64::new(0)),
            max: AtomicU64::new(u64::MAX),
            table_bytes,
            last_table: AtomicBool::new(false),
            expected: AtomicU64::new(0),
            asked: Apart(AtomicU64::new(0)),
            before: Default::default(),
            sieve: None,
            touched: Mutex::default(),
            again: Mutex::new(None),
            steady: false,
        })
    }

    /// An empty store that leaves it to a filter which keys are known. If it is
    /// [`again`](Self::again) that the search has to begin anew, `forest` is how.
    pub fn with_filter(
        split: Split<'a>,
        carried: usize,
        parts: Option<Parts>,
        threads: usize,
        ledger: &'a Ledger,
        (filter, seed): (Box<dyn Filter + 'a>, u64),
        forest: Option<Forest>,
    ) -> Result<Collapse<'a>, Full> {
        let mut store = Collapse::new(split, carried, parts, false, threads, ledger)?;
        let first = store.epoch();
        let forest = match forest {
            Some(forest) => inherited(forest, ledger)?,
            None => first.forest.clone(),
        };
        let table = make_table(Plan::new(64, sample_slots(&*filter), false), threads, ledger)?;
        ledger.give(first.table.plan().bytes());
        let epoch = Arc::new(Epoch { number: 0, forest, past: Vec::new(), table: Arc::new(table) });
        for gate in &mut store.gates {
            gate.0 = RwLock::new(epoch.clone());
        }
        store.sieve = Some(Sieve::new(filter, seed));
        Ok(store)
    }

    /// Cuts the shared component like this.
    pub fn cut(mut self, shared: Shared) -> Collapse<'a> {
        let first = self.epoch();
        let forest = Forest { shared: Some(shared), ..first.forest.clone() };
        let epoch =
            Arc::new(Epoch { number: 0, forest, past: Vec::new(), table: first.table.clone() });
        for gate in &mut self.gates {
            gate.0 = RwLock::new(epoch.clone());
        }
        self
    }

    /// Never asks for a store of another kind.
    pub fn steady(self) -> Collapse<'a> {
        Collapse { steady: true, ..self }
    }

    /// Whether the search has to begin anew.
    pub fn again(&self) -> Option<Again> {
        lock(&self.again).take()
    }

    /// Ends the search.
    fn begin_anew(&self, how: Again) -> Full {
        lock(&self.again).get_or_insert(how);
        Full::Memory
    }

    /// Notes how many states there are, and how often the system was asked for that.
    fn count(&self, new: u64, asked: u64) {
        let states = self.len.add(new, self.gates.len() == 1);
        let asked = self.asked.add(asked, self.gates.len() == 1);
        if self.before[1].load(Ordering::Relaxed) * 2 < states {
            self.before[0].store(asked, Ordering::Relaxed);
            self.before[1].store(states, Ordering::Relaxed);
        }
    }

    /// Notes words that some part touches, for the choice of what to join.
    fn note_touched(&self, set: &memo::Set) {
        let mut touched = lock(&self.touched);
        if touched.len() < MOST_TOUCHED && !touched.contains(set) {
            touched.push(set.clone());
        }
    }

    /// Whether dictionaries take more memory than they save.
    fn is_useless(&self, forest: &Forest) -> bool {
        let states = self.counted();
        let free = self.parts.is_none() && self.sieve.is_none() && !self.steady;
        free && JUDGED.contains(&states) && forest.bytes() > USELESS * states
    }

    /// Whether remembered steps were of little use for the last half of the states.
    fn asks_often(&self) -> bool {
        let states = self.counted();
        let [asked, before] = [0, 1].map(|i| self.before[i].load(Ordering::Relaxed));
        let more = self.asked.0.load(Ordering::Relaxed).saturating_sub(asked);
        JUDGED.contains(&states) && more * 2 > states - before.min(states)
    }

    /// States that were counted by now, and how many there may be.
    #[inline]
    fn counted(&self) -> u64 {
        self.len.0.load(Ordering::Relaxed)
    }

    #[inline]
    fn most(&self) -> u64 {
        self.max.load(Ordering::Relaxed)
    }

    fn epoch(&self) -> Arc<Epoch> {
        self.gates[0].0.read().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Stops all threads between two batches and gives the store what one of them needs.
    fn rearrange(&self, need: Need) -> Result<(), Full> {
        let _one = lock(&self.rearranging);
        let mut gates: Vec<_> = self.gates.iter().map(Gate::close).collect();
        let next = {
            let now = &*gates[0];
            match self.next_epoch(now, need)? {
                Some(next) => Arc::new(next),
                None => return Ok(()),
            }
        };
        self.table_bytes.store(next.table.plan().bytes(), Ordering::Relaxed);
        for gate in &mut gates {
            **gate = next.clone();
        }
        Ok(())
    }

    /// The arrangement that satisfies a need; `None` if the present one does.
    fn next_epoch(&self, now: &Epoch, need: Need) -> Result<Option<Epoch>, Full> {
        let number = now.number + 1;
        let mut forest = now.forest.clone();
        let mut past = now.past.clone();
        let mut table = now.table.clone();
        match need {
            Need::Leaves { component, parts } => {
                if forest.leaves_of(component as usize).len() >= parts as usize {
                    return Ok(None);
                }
                let (words, piece) = std::mem::take(&mut *lock(&self.first));
                let first: Vec<&[u32]> = words.chunks(piece.max(1)).collect();
                forest.add_leaves(component, parts, &first, self.ledger)?;
            }
            Need::Bits { version, root, number } => {
                if forest.version != version || forest.roots[root as usize].fits(number) {
                    return Ok(None);
                }
                if let Some(sieve) = &self.sieve
                    && sieve.is_too_small_for(&forest)
                {
                    return Err(self.begin_anew(Again::Vectors));
                }
                if self.is_useless(&forest) {
                    return Err(self.begin_anew(Again::Plain));
                }
                // Also for what other roots are about to be asked for.
                if !forest.fit() {
                    if self.sieve.is_some() {
                        let (forest, _) = self.join(now)?;
                        return Err(self.begin_anew(Again::Keys(Box::new(forest))));
                    }
                    if self.parts.is_some() && self.asks_often() {
                        let shared = self.best_cut(now);
                        return Err(self.begin_anew(Again::Whole { shared }));
                    }
                    past.push(Arc::new(now.forest.clone()));
                    (forest, table) = match self.coarsen(now)? {
                        Some(made) => made,
                        None => self.join(now)?,
                    };
                }
            }
            Need::Room { epoch } => {
                if now.number != epoch {
                    return Ok(None);
                }
                table = self.larger(now)?;
            }
            Need::Domain { key } => {
                if table.admits(key) {
                    return Ok(None);
                }
                let old = table.plan();
                let plan = self.plan(forest.used, old.slots()).in_order_of(old);
                let wider = self.in_place(&now.table, plan);
                table = wider.map_or_else(|| self.moved(&now.table, plan, None), Ok)?;
            }
        }
        Ok(Some(Epoch { number, forest, past, table }))
    }

    /// A table for keys of `used` bits, and of more if that costs nothing.
    fn plan(&self, used: u32, slots: u64) -> Plan {
        Plan::new(used.max(1), slots, self.marks).widest()
    }

    fn larger(&self, now: &Epoch) -> Result<Arc<Table>, Full> {
        let old = now.table.plan();
        let most = match self.expected.load(Ordering::Relaxed) {
            _ if old.bytes() < SMALL => 4.0,
            0 => FACTOR,
            states => {
                let factor = states as f64 * MARGIN / (old.slots() / 5 * 4) as f64;
                factor.clamp(*FACTORS.start(), *FACTORS.end())
            }
        };
        for factor in [most, FACTOR.min(most), 1.125_f64.min(most)] {
            let slots = (old.slots() as f64 * factor) as u64;
            let used = now.forest.used;
            let kept = Plan::with(old.width, used.max(1), slots, self.marks).widest();
            // Some bits have to be left, or it would soon have to become wider again.
            let narrow = self.plan((used + SPARE).min(64), slots);
            let best = if narrow.bytes() < kept.bytes() { narrow } else { kept };
            for plan in [best, kept] {
                // What is little is spread anew.
                let small = old.bytes() < SMALL;
                let plan = if small { plan } else { plan.in_order_of(old) };
                if let Some(table) = self.in_place(&now.table, plan) {
                    return Ok(table);
                }
                if plan.bytes() <= self.ledger.left() {
                    return self.moved(&now.table, plan, None);
                }
            }
        }
        self.last_table.store(true, Ordering::Relaxed);
        Err(Full::Memory)
    }

    /// A table in the memory of an old one, if there is room for it and the ledger agrees. Then the old
    /// one is of no use any more.
    fn in_place(&self, old: &Table, plan: Plan) -> Option<Arc<Table>> {
        let mut table = old.extended(plan)?;
        if !self.ledger.take(plan.bytes() - old.plan().bytes()) {
            return None;
        }
        table.populate(old.plan().lines, self.gates.len());
        let mut late = old.move_to(&table, self.gates.len());
        while !table.take_late(&mut late, self.gates.len()) {
            // Bad luck that nobody ever had: in a table with more room it is other numbers that meet.
            let Plan { bits, .. } = table.plan();
            let plan = Plan::new(bits, table.plan().slots() * 2, self.marks);
            self.ledger.force(plan.bytes());
            let larger = Table::new(plan).expect("a system that gave memory gives addresses");
            let larger = larger.for_threads(self.gates.len());
            if fill(&larger, &table, None, self.gates.len()) {
                self.ledger.give(table.plan().bytes());
                table = larger;
            }
        }
        Some(Arc::new(table))
    }

    /// A new table with the keys of an old one, each changed by `rename`.
    fn moved(
        &self,
        old: &Table,
        plan: Plan,
        rename: Option<Rename<'_>>,
    ) -> Result<Arc<Table>, Full> {
        let mut plan = plan;
        loop {
            let table = make_table(plan, self.gates.len(), self.ledger)?;
            table.populate(0, self.gates.len());
            if fill(&table, old, rename, self.gates.len()) {
                self.ledger.give(old.plan().bytes());
                return Ok(Arc::new(table));
            }
            // Bad luck, or keys that are spread badly: more room helps.
            self.ledger.give(plan.bytes());
            plan = Plan::new(plan.bits, plan.slots() * 2, self.marks);
        }
    }

    /// Where the pieces of the shared component have as many values as there are states, cutting it
    /// only costs memory: a forest that does not, and the table with the keys that it gives.
    fn coarsen(&self, now: &Epoch) -> Result<Option<(Forest, Arc<Table>)>, Full> {
        let old = &now.forest;
        let Some(shared) = old.shared.filter(|_| old.rebuilt == 0) else { return Ok(None) };
        let mut states: u64 = 0;
        now.table.for_each(0, u64::MAX, |_, _| states += 1);
        let leaves = old.leaves_of(shared.component as usize);
        let wild = |leaf: &usize| {
            let node = old.leaves[*leaf].node as usize;
            u64::from(old.nodes[node].dictionary.len()) * 2 > states
        };
        if leaves.filter(wild).count() < 3 || states > MOST_REBUILT {
            return Ok(None);
        }
        let mut forest = Forest {
            version: old.version + 1,
            rebuilt: 1,
            shared: Some(Shared { piece: u32::MAX, ..shared }),
            ..Forest::default()
        };
        // First all numbers, then it is known how many bits they need.
        let mut numbers: Vec<(Vec<u32>, bool)> = Vec::new();
        let mut full = None;
        let mut vector = vec![0; self.carried];
        let mut ends = Vec::new();
        now.table.for_each(0, u64::MAX, |key, marked| {
            vector.truncate(self.carried);
            old.words(key, &mut vector);
            ends.clear();
            (self.split)(&vector, &mut ends);
            match self.number(&mut forest, &vector, &mut ends, numbers.is_empty()) {
                Ok(number) => numbers.push((number, marked)),
                Err(why) => full = Some(why),
            }
        });
        if let Some(full) = full {
            self.ledger.give(forest.bytes());
            return Err(full);
        }
        if !forest.fit() || forest.used > 60 {
            self.ledger.give(forest.bytes());
            return Ok(None);
        }
        let plan = self.plan(forest.used, now.table.plan().slots());
        let table = make_table(plan, self.gates.len(), self.ledger)?;
        for (numbers, marked) in numbers {
            let roots = forest.roots.iter();
            let number = |node: u32| numbers.get(node as usize).copied().unwrap_or(0);
            let key = roots.fold(0, |key, root| key | root.deposit(number(root.node)));
            if table.take(table.prepare(key), marked).is_err() {
                self.ledger.give(table.plan().bytes() + forest.bytes());
                return Ok(None);
            }
        }
        self.ledger.give(now.table.plan().bytes());
        Ok(Some((forest, Arc::new(table))))
    }

    /// The numbers of all leaves for a vector, by their nodes. The forest gets the leaves it needs.
    fn number(
        &self,
        forest: &mut Forest,
        vector: &[u32],
        ends: &mut Vec<u32>,
        first: bool,
    ) -> Result<Vec<u32>, Full> {
        cut(ends);
        let mut start = self.carried;
        for (component, &end) in ends.iter().enumerate() {
            let end = (end as usize).max(start);
            let piece = forest.piece(component, end - start);
            let pieces = vector[start..end].chunks(piece);
            if pieces.len() > forest.leaves_of(component).len() {
                // What the first state has needs no bits; what it has not is absent there.
                let first: Vec<&[u32]> = if first { pieces.clone().collect() } else { Vec::new() };
                forest.add_leaves(component as u32, pieces.len() as u32, &first, self.ledger)?;
            }
            start = end;
        }
        let mut numbers = vec![0; forest.nodes.len()];
        forest.number(vector, self.carried, ends, &mut numbers, |node, words| {
            forest.nodes[node].dictionary.intern(words, self.ledger)
        })?;
        Ok(numbers)
    }

    /// A forest with fewer trees, and the table with the keys that it gives.
    fn join(&self, now: &Epoch) -> Result<(Forest, Arc<Table>), Full> {
        let plan = joins(now, &lock(&self.touched));
        let old = &now.forest;
        let mut forest = old.clone();
        forest.version += 1;
        for (left, right) in plan {
            let joined = forest.join(left, right, self.ledger)?;
            forest = Forest { version: forest.version, ..joined };
        }
        let (forest, renumbering) = loop {
            // Pairs first, so that it is known how many bits they need.
            let renumbering = Renumbering::new(old, &forest, self.ledger);
            let part = |from, to| {
                let mut keys = Vec::with_capacity(BATCH);
                let mut done = Ok(());
                now.table.for_each(from, to, |key, _| {
                    keys.push(key);
                    if keys.len() == BATCH {
                        done = done.and_then(|()| renumbering.renumber(&keys, |_, _| ()));
                        keys.clear();
                    }
                });
                done.and_then(|()| renumbering.renumber(&keys, |_, _| ()))
            };
            in_parts(now.table.plan().lines, self.gates.len(), part)
                .into_iter()
                .collect::<Result<(), Full>>()?;
            let mut fitted = forest.clone();
            // Some bits have to be left, or the next state would bring us here again.
            if fitted.fit() && fitted.used <= 60 {
                break (fitted, renumbering);
            }
            let Some((left, right)) = widest(&forest) else { return Err(Full::Memory) };
            let version = forest.version;
            forest = Forest { version, ..forest.join(left, right, self.ledger)? };
        };
        let plan = self.plan(forest.used, now.table.plan().slots());
        let rename = |keys: &mut [u64]| {
            let old = keys.to_vec();
            // Every pair is there by now: nothing can be refused.
            let _ = renumbering.renumber(&old, |index, numbers| {
                let roots = forest.roots.iter();
                keys[index] =
                    roots.fold(0, |key, root| key | root.deposit(numbers[root.node as usize]));
            });
        };
        let table = self.moved(&now.table, plan, Some(&rename))?;
        Ok((forest, table))
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// An empty table, with the consent of the ledger, for so many threads.
pub(crate) fn make_table(plan: Plan, threads: usize, ledger: &Ledger) -> Result<Table, Full> {
    if !ledger.take(plan.bytes()) {
        return Err(Full::Memory);
    }
    Table::new(plan).map(|table| table.for_threads(threads)).map_err(|_| {
        ledger.give(plan.bytes());
        Full::Memory
    })
}

/// What becomes of keys.
pub(crate) type Rename<'a> = &'a (dyn Fn(&mut [u64]) + Sync);

/// Keys whose places are on their way from memory at once.
const BATCH: usize = 256;

/// Lines of a table that one thread copies alone.
const PARALLEL: u64 = 1 << 12;

/// Puts the keys of a table into another one; `false` if they do not fit.
pub(crate) fn fill(table: &Table, old: &Table, rename: Option<Rename<'_>>, threads: usize) -> bool {
    let lines = old.plan().lines;
    if rename.is_none() && old.is_in_order_of(table) {
        return old.copy(table, threads);
    }
    let part = |from: u64, to: u64| {
        let mut keys = Vec::with_capacity(BATCH);
        let mut marks = Vec::with_capacity(BATCH);
        let mut images = Vec::with_capacity(BATCH);
        let mut fits = true;
        let mut flush = |keys: &mut Vec<u64>, marks: &mut Vec<bool>| {
            if let Some(rename) = rename {
                rename(keys);
            }
            images.extend(keys.drain(..).map(|key| table.prepare(key)));
            let mut all = images.drain(..).zip(marks.drain(..));
            fits = fits && all.all(|(image, marked)| table.take(image, marked).is_ok());
        };
        old.for_each(from, to, |key, marked| {
            keys.push(key);
            marks.push(marked);
            if keys.len() == BATCH {
                flush(&mut keys, &mut marks);
            }
        });
        flush(&mut keys, &mut marks);
        fits
    };
    in_parts(lines, threads, part).into_iter().all(|fits| fits)
}

/// Lets every thread do its part of the lines of a table.
fn in_parts<R: Send>(lines: u64, threads: usize, part: impl Fn(u64, u64) -> R + Sync) -> Vec<R> {
    if threads == 1 || lines < PARALLEL {
        return vec![part(0, lines)];
    }
    let step = lines.div_ceil(threads as u64);
    let part = &part;
    in_parallel((0..threads as u64).map(|i| move || part(i * step, (i + 1) * step)).collect())
}

impl Store for Collapse<'_> {
    type Worker<'s>
        = CollapseWorker<'s>
    where
        Self: 's;

    fn worker(&self, thread: usize) -> CollapseWorker<'_> {
        let gate = &self.gates[thread];
        let mut worker = CollapseWorker {
            store: self,
            gate,
            epoch: gate.enter(),
            new: 0,
            open: Open {
                key: 0,
                numbers: Vec::new(),
                starts: Vec::new(),
                state: vec![0; self.carried],
                carried: self.carried,
                dirty: Vec::new(),
                rebuilt: 0,
            },
            ends: Vec::new(),
            touched: Vec::new(),
            recent: Recent::new(),
            layout: Layout::new(),
            memo: self.parts.as_ref().map(|parts| Box::new(Memo::new(parts))),
            quick: Quick::default(),
            tally: Tally::default(),
        };
        // The state without any component has a number everywhere: nothing can be refused.
        let _ = worker.renew();
        worker
    }

    fn len(&self) -> u64 {
        self.len.0.load(Ordering::Relaxed)
    }

    fn limit_states(&self, max: u64) {
        self.max.fetch_min(max, Ordering::Relaxed);
    }

    fn expect(&self, total: u64) {
        self.expected.store(total, Ordering::Relaxed);
    }

    fn bytes(&self) -> StoreBytes {
        StoreBytes {
            table: match &self.sieve {
                Some(sieve) => sieve.filter().bytes(),
                None => self.table_bytes.load(Ordering::Relaxed),
            },
            arena: self.epoch().forest.bytes(),
        }
    }

    fn save(&self, out: &mut Out<'_>) -> io::Result<()> {
        self.write(out)
    }

    fn restore(&mut self, input: &mut In<'_>) -> io::Result<()> {
        self.read(input)
    }

    fn has_keys(&self) -> bool {
        true
    }

    fn begins_anew(&self) -> bool {
        lock(&self.again).is_some()
    }

    fn loss(&self) -> Option<Loss> {
        let sieve = self.sieve.as_ref()?;
        Some(Loss { omitted: sieve.omitted(), fill: sieve.filter().fill(self.len()) })
    }

    fn for_each(&self, visit: &mut dyn FnMut(&[u32])) {
        if self.sieve.is_some() {
            // There are no states to visit.
            return;
        }
        let epoch = self.epoch();
        let mut worker = self.worker(0);
        let mut record = vec![0; 2 + self.carried];
        epoch.table.for_each(0, u64::MAX, |key, _| {
            record[0] = key as u32;
            record[1] = (key >> 32) as u32;
            worker.open(epoch.forest.version, &record);
            visit(worker.state());
        });
    }
}
