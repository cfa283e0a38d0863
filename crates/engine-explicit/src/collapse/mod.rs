//! The default store: exact, and a few bytes a state.
//!
//! A vector is cut at the components that the system names; each piece is interned in a dictionary
//! of its own, and the numbers of the pieces, packed into 64 bits, are the key of the state (see
//! [`Forest`]). The keys lie in a [`Table`] of quotients. A step changes few components, so the key
//! of its target is the key of its source with a few bits replaced.

mod join;
mod layout;
mod open;
mod recent;
mod save;
mod worker;

use std::io;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, RwLock, RwLockReadGuard};

use crate::forest::Forest;
use crate::ledger::Ledger;
use crate::store::{Full, Name, Store, StoreBytes, StoreWorker};
use crate::table::{Image, Plan, Table};
use crate::wire::{In, Out};
use join::{joins, renumber, widest};
use layout::Layout;
use open::Open;
use recent::Recent;
use worker::CollapseWorker;

/// Slots of the first table.
const FIRST_SLOTS: u64 = 1 << 9;
/// Below this many bytes a table grows by four, from there on by two, and by less from the other
/// bound on: what is free of a large table is much memory.
const SMALL: u64 = 1 << 20;
const LARGE: u64 = 64 << 20;
/// Key bits that a table is prepared for beyond those in use.
const SPARE: u32 = 4;

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
}

/// An exact store of structured vectors.
pub(crate) struct Collapse<'a> {
    split: Split<'a>,
    carried: usize,
    marks: bool,
    ledger: &'a Ledger,
    gates: Box<[Gate]>,
    rearranging: Mutex<()>,
    len: AtomicU64,
    max: AtomicU64,
    table_bytes: AtomicU64,
    /// The ledger refused a larger table: what is left of this one is used up.
    last_table: AtomicBool,
}

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
        marks: bool,
        threads: usize,
        ledger: &'a Ledger,
    ) -> Result<Collapse<'a>, Full> {
        let table = make_table(Plan::new(SPARE, FIRST_SLOTS, marks), ledger)?;
        let table_bytes = AtomicU64::new(table.plan().bytes());
        let epoch = Arc::new(Epoch {
            number: 0,
            forest: Forest::default(),
            past: Vec::new(),
            table: Arc::new(table),
        });
        Ok(Collapse {
            split,
            carried,
            marks,
            ledger,
            gates: (0..threads.max(1)).map(|_| Gate(RwLock::new(epoch.clone()))).collect(),
            rearranging: Mutex::new(()),
            len: AtomicU64::new(0),
            max: AtomicU64::new(u64::MAX),
            table_bytes,
            last_table: AtomicBool::new(false),
        })
    }

    fn epoch(&self) -> Arc<Epoch> {
        self.gates[0].0.read().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Stops all threads between two batches and gives the store what one of them needs.
    fn rearrange(&self, need: Need) -> Result<(), Full> {
        let _one: MutexGuard<'_, ()> =
            self.rearranging.lock().unwrap_or_else(PoisonError::into_inner);
        let mut gates: Vec<_> = self
            .gates
            .iter()
            .map(|gate| gate.0.write().unwrap_or_else(PoisonError::into_inner))
            .collect();
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
                forest.add_leaves(component, parts, self.ledger)?;
            }
            Need::Bits { version, root, number } => {
                if forest.version != version || forest.roots[root as usize].fits(number) {
                    return Ok(None);
                }
                // Also for what other roots are about to be asked for.
                if !forest.fit() {
                    past.push(Arc::new(now.forest.clone()));
                    (forest, table) = self.join(now)?;
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
                let plan = self.plan(forest.used, table.plan().slots());
                table = self.moved(&now.table, plan, |key| key)?;
            }
        }
        Ok(Some(Epoch { number, forest, past, table }))
    }

    /// A table for keys of `used` bits and a few to come.
    fn plan(&self, used: u32, slots: u64) -> Plan {
        let roomy = Plan::new((used + SPARE).min(64), slots, self.marks);
        let tight = Plan::new(used.max(1), slots, self.marks);
        if tight.bytes() < roomy.bytes() { tight } else { roomy }
    }

    fn larger(&self, now: &Epoch) -> Result<Arc<Table>, Full> {
        let old = now.table.plan();
        let most = match old.bytes() {
            ..SMALL => 4.0,
            SMALL..LARGE => 2.0,
            LARGE.. => 1.5,
        };
        for factor in [4.0, 2.0, 1.5, 1.25, 1.125] {
            if factor > most {
                continue;
            }
            let slots = (old.slots() as f64 * factor) as u64;
            let plan = self.plan(now.forest.used, slots);
            if plan.bytes() <= self.ledger.left() {
                return self.moved(&now.table, plan, |key| key);
            }
        }
        self.last_table.store(true, Ordering::Relaxed);
        Err(Full::Memory)
    }

    /// A new table with the keys of an old one, each changed by `rename`.
    fn moved(
        &self,
        old: &Table,
        plan: Plan,
        rename: impl Fn(u64) -> u64 + Sync,
    ) -> Result<Arc<Table>, Full> {
        let mut plan = plan;
        loop {
            let table = make_table(plan, self.ledger)?;
            if fill(&table, old, &rename, self.gates.len()) {
                self.ledger.give(old.plan().bytes());
                return Ok(Arc::new(table));
            }
            // Bad luck, or keys that are spread badly: more room helps.
            self.ledger.give(plan.bytes());
            plan = Plan::new(plan.bits, plan.slots() * 2, self.marks);
        }
    }

    /// A forest with fewer trees, and the table with the keys that it gives.
    fn join(&self, now: &Epoch) -> Result<(Forest, Arc<Table>), Full> {
        let plan = joins(now);
        let old = &now.forest;
        let mut forest = old.clone();
        forest.version += 1;
        for (left, right) in plan {
            let joined = forest.join(left, right, self.ledger)?;
            forest = Forest { version: forest.version, ..joined };
        }
        loop {
            // Pairs first, so that it is known how many bits they need.
            let mut full = None;
            let mut numbers = vec![0; forest.nodes.len()];
            now.table.for_each(0, u64::MAX, |key, _| {
                if full.is_none() && !renumber(old, &forest, key, &mut numbers, self.ledger) {
                    full = Some(Full::Memory);
                }
            });
            if let Some(full) = full {
                return Err(full);
            }
            let mut fitted = forest.clone();
            // Some bits have to be left, or the next state would bring us here again.
            if fitted.fit() && fitted.used <= 60 {
                forest = fitted;
                break;
            }
            let Some((left, right)) = widest(&forest) else { return Err(Full::Memory) };
            let version = forest.version;
            forest = Forest { version, ..forest.join(left, right, self.ledger)? };
        }
        let plan = self.plan(forest.used, now.table.plan().slots());
        let rename = |key| {
            let mut numbers = vec![0; forest.nodes.len()];
            renumber(old, &forest, key, &mut numbers, self.ledger);
            let roots = forest.roots.iter();
            roots.fold(0, |key, root| key | root.deposit(numbers[root.node as usize]))
        };
        let table = self.moved(&now.table, plan, rename)?;
        Ok((forest, table))
    }
}

pub(crate) fn make_table(plan: Plan, ledger: &Ledger) -> Result<Table, Full> {
    if !ledger.take(plan.bytes()) {
        return Err(Full::Memory);
    }
    Table::new(plan).map_err(|_| {
        ledger.give(plan.bytes());
        Full::Memory
    })
}

/// Puts the keys of a table into another one; `false` if they do not fit.
pub(crate) fn fill(
    table: &Table,
    old: &Table,
    rename: &(impl Fn(u64) -> u64 + Sync),
    threads: usize,
) -> bool {
    let lines = old.plan().lines;
    let part = |from: u64, to: u64| {
        let mut batch = Vec::with_capacity(64);
        let mut fits = true;
        let mut flush = |batch: &mut Vec<(Image, bool)>| {
            fits &= batch.drain(..).all(|(image, marked)| table.take(image, marked).is_ok());
            fits
        };
        old.for_each(from, to, |key, marked| {
            batch.push((table.prepare(rename(key)), marked));
            if batch.len() == 64 {
                flush(&mut batch);
            }
        });
        flush(&mut batch)
    };
    if threads == 1 || lines < 1 << 12 {
        return part(0, lines);
    }
    let step = lines.div_ceil(threads as u64);
    std::thread::scope(|scope| {
        let parts: Vec<_> = (0..threads as u64)
            .map(|i| scope.spawn(move || part(i * step, (i + 1) * step)))
            .collect();
        parts.into_iter().all(|part| part.join().unwrap_or(false))
    })
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
            },
            ends: Vec::new(),
            touched: Vec::new(),
            recent: Recent::new(),
            layout: Layout::new(),
        };
        // The state without any component has a number everywhere: nothing can be refused.
        let _ = worker.renew();
        worker
    }

    fn len(&self) -> u64 {
        self.len.load(Ordering::Relaxed)
    }

    fn limit_states(&self, max: u64) {
        self.max.fetch_min(max, Ordering::Relaxed);
    }

    fn bytes(&self) -> StoreBytes {
        StoreBytes {
            table: self.table_bytes.load(Ordering::Relaxed),
            arena: self.epoch().forest.bytes(),
        }
    }

    fn save(&self, out: &mut Out<'_>) -> io::Result<()> {
        self.write(out)
    }

    fn restore(&mut self, input: &mut In<'_>) -> io::Result<()> {
        self.read(input)
    }

    fn for_each(&self, visit: &mut dyn FnMut(&[u32])) {
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
