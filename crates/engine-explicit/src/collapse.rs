//! The default store: exact, and a few bytes a state.
//!
//! A vector is cut at the components that the system names; each piece is interned in a dictionary
//! of its own, and the numbers of the pieces, packed into 64 bits, are the key of the state (see
//! [`Forest`]). The keys lie in a [`Table`] of quotients. A step changes few components, so the key
//! of its target is the key of its source with a few bits replaced.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, RwLock, RwLockReadGuard};

use everypath_model::ComponentMask;

use crate::forest::{COMPONENTS, Forest, piece};
use crate::ledger::Ledger;
use crate::store::{Full, Name, Seen, Store, StoreBytes, StoreWorker};
use crate::table::{Image, Plan, Table};

/// Slots of the first table.
const FIRST_SLOTS: u64 = 1 << 9;
/// Below this many bytes a table grows by four, from there on by two.
const SMALL: u64 = 64 << 20;
/// Key bits that a table is prepared for beyond those in use.
const SPARE: u32 = 4;
/// Stored states that are looked at to choose what to join.
const SAMPLE: usize = 4096;

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
        let factors: &[f64] = if old.bytes() < SMALL { &[4.0, 2.0] } else { &[2.0] };
        for factor in factors.iter().chain(&[1.5, 1.25, 1.125]) {
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

fn make_table(plan: Plan, ledger: &Ledger) -> Result<Table, Full> {
    if !ledger.take(plan.bytes()) {
        return Err(Full::Memory);
    }
    Table::new(plan).map_err(|_| {
        ledger.give(plan.bytes());
        Full::Memory
    })
}

/// Puts the keys of a table into another one; `false` if they do not fit.
fn fill(table: &Table, old: &Table, rename: &(impl Fn(u64) -> u64 + Sync), threads: usize) -> bool {
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

/// The numbers of all nodes for a key of an older forest; `false` if memory ran out.
fn renumber(old: &Forest, new: &Forest, key: u64, numbers: &mut [u32], ledger: &Ledger) -> bool {
    for root in &old.roots {
        numbers[root.node as usize] = root.extract(key);
    }
    for node in old.nodes.len()..new.nodes.len() {
        if let Some((left, right)) = new.nodes[node].children {
            let pair = [numbers[left as usize], numbers[right as usize]];
            match intern_pair(new, node, pair, ledger) {
                Ok(number) => numbers[node] = number,
                Err(_) => return false,
            }
        }
    }
    true
}

/// The number of a pair. Two absent parts are an absent whole.
#[inline]
fn intern_pair(forest: &Forest, node: usize, pair: [u32; 2], ledger: &Ledger) -> Result<u32, Full> {
    if pair == [0, 0] { Ok(0) } else { forest.nodes[node].dictionary.intern(&pair, ledger) }
}

/// Which roots to join, each pair with the numbers that roots have after the joins before it, so
/// that a dozen bits become free. Found out on some of the stored keys.
fn joins(now: &Epoch) -> Vec<(u32, u32)> {
    let forest = &now.forest;
    let sample = (24 * SAMPLE / forest.roots.len().max(1)).clamp(256, SAMPLE);
    let mut keys = Vec::with_capacity(sample);
    let lines = now.table.plan().lines;
    let mut line = 0;
    while keys.len() < sample && line < lines {
        now.table.for_each(line, line + 1, |key, _| keys.push(key));
        line += 1;
    }
    let stored = keys.len() as f64 * (lines as f64 / line.max(1) as f64);
    let scale = stored / keys.len().max(1) as f64;
    let mut columns: Vec<Vec<u32>> = forest
        .roots
        .iter()
        .map(|root| keys.iter().map(|&key| root.extract(key)).collect())
        .collect();
    let mut bits: Vec<u32> = forest.roots.iter().map(|root| root.mask.count_ones()).collect();
    let mut plan = Vec::new();
    while bits.iter().sum::<u32>() > 52 && bits.len() > 1 {
        let mut best: Option<(i64, u64, usize, usize)> = None;
        // Of very many roots only neighbours are compared.
        let near = (512 / bits.len()).max(1);
        for left in 0..bits.len() {
            for right in left + 1..bits.len().min(left + 1 + near) {
                if bits[left] == 0 || bits[right] == 0 {
                    continue;
                }
                let mut pairs: Vec<u64> = columns[left]
                    .iter()
                    .zip(&columns[right])
                    .map(|(&l, &r)| u64::from(l) << 32 | u64::from(r))
                    .collect();
                pairs.sort_unstable();
                pairs.dedup();
                let distinct = pairs.len() as f64;
                // Pairs that keep coming anew in the sample will keep coming anew.
                let all =
                    if distinct * 4.0 > keys.len() as f64 { distinct * scale } else { distinct };
                let needed = (all * 2.0).log2().ceil().max(1.0) as i64;
                let freed = i64::from(bits[left] + bits[right]) - needed;
                let candidate = (-freed, all as u64, left, right);
                if best.is_none_or(|best| candidate < best) {
                    best = Some(candidate);
                }
            }
        }
        let Some((freed, _, left, right)) = best else { break };
        plan.push((left as u32, right as u32));
        let joined: Vec<u32> = {
            let mut seen = std::collections::BTreeMap::new();
            let pairs = columns[left].iter().zip(&columns[right]);
            pairs
                .map(|(&l, &r)| {
                    let next = seen.len() as u32 + 1;
                    *seen.entry((l, r)).or_insert(next)
                })
                .collect()
        };
        let needed = (i64::from(bits[left] + bits[right]) + freed).max(1) as u32;
        // As `Forest::join` does: the others keep their order, the pair comes last.
        for index in [right, left] {
            columns.remove(index);
            bits.remove(index);
        }
        columns.push(joined);
        bits.push(needed.min(32));
    }
    if plan.is_empty() {
        plan.extend(widest(forest));
    }
    plan
}

/// The two roots with the most bits.
fn widest(forest: &Forest) -> Option<(u32, u32)> {
    let mut order: Vec<u32> = (0..forest.roots.len() as u32).collect();
    order.sort_by_key(|&root| {
        let node = forest.roots[root as usize].node as usize;
        std::cmp::Reverse(forest.nodes[node].dictionary.len())
    });
    match order[..] {
        [a, b, ..] => Some((a.min(b), a.max(b))),
        _ => None,
    }
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

/// One thread's access to a [`Collapse`].
pub(crate) struct CollapseWorker<'s> {
    store: &'s Collapse<'s>,
    gate: &'s Gate,
    /// `None` only while the store is rearranged.
    epoch: Option<RwLockReadGuard<'s, Arc<Epoch>>>,
    /// States that it stored and that are not counted yet.
    new: u64,
    open: Open,
    ends: Vec<u32>,
    touched: Vec<(u32, u32)>,
}

/// The open state, in pieces and as a whole.
struct Open {
    key: u64,
    /// The numbers of all nodes of the forest.
    numbers: Vec<u32>,
    /// Where each leaf begins, and one more for the end.
    starts: Vec<u32>,
    state: Vec<u32>,
    carried: usize,
    /// Leaves whose numbers changed since the vector was made.
    dirty: Vec<u32>,
}

impl Open {
    /// Gives a node a number, and its descendants theirs; notes which leaves change.
    fn assign(&mut self, forest: &Forest, node: u32, number: u32) {
        if self.numbers[node as usize] == number {
            return;
        }
        self.numbers[node as usize] = number;
        match forest.nodes[node as usize].children {
            None => self.dirty.push(node),
            Some((left, right)) => {
                let pair = match forest.nodes[node as usize].dictionary.get(number) {
                    [l, r] => [l.load(Ordering::Relaxed), r.load(Ordering::Relaxed)],
                    _ => [0, 0],
                };
                self.assign(forest, left, pair[0]);
                self.assign(forest, right, pair[1]);
            }
        }
    }

    /// Numbers the nodes that came since the numbers were made.
    fn extend(&mut self, forest: &Forest, ledger: &Ledger) -> Result<(), Full> {
        for node in self.numbers.len()..forest.nodes.len() {
            let number = match forest.nodes[node].children {
                Some((left, right)) => {
                    let pair = [self.numbers[left as usize], self.numbers[right as usize]];
                    intern_pair(forest, node, pair, ledger)?
                }
                None => 0,
            };
            self.numbers.push(number);
        }
        Ok(())
    }

    /// Brings the vector up to date with the numbers.
    fn update(&mut self, forest: &Forest) {
        if self.starts.len() != forest.leaves.len() + 1 {
            return self.layout(forest);
        }
        for i in 0..self.dirty.len() {
            let node = self.dirty[i] as usize;
            let words = forest.nodes[node].dictionary.get(self.numbers[node]);
            let leaf = forest.leaf_of[node] as usize;
            let (start, end) = (self.starts[leaf] as usize, self.starts[leaf + 1] as usize);
            if words.len() != end - start {
                return self.layout(forest);
            }
            for (place, word) in self.state[start..end].iter_mut().zip(words) {
                *place = word.load(Ordering::Relaxed);
            }
        }
        self.dirty.clear();
    }

    /// Makes the whole vector.
    fn layout(&mut self, forest: &Forest) {
        self.dirty.clear();
        self.state.truncate(self.carried);
        self.starts.clear();
        for leaf in &forest.leaves {
            self.starts.push(self.state.len() as u32);
            let node = leaf.node as usize;
            let words = forest.nodes[node].dictionary.get(self.numbers[node]);
            self.state.extend(words.iter().map(|word| word.load(Ordering::Relaxed)));
        }
        self.starts.push(self.state.len() as u32);
    }

    /// The key, or the root that has too few bits for its number.
    fn pack(&self, forest: &Forest) -> Result<u64, Need> {
        let mut key = 0;
        for (index, root) in forest.roots.iter().enumerate() {
            let number = self.numbers[root.node as usize];
            if !root.fits(number) {
                let root = index as u32;
                return Err(Need::Bits { version: forest.version, root, number });
            }
            key |= root.deposit(number);
        }
        Ok(key)
    }
}

/// The arrangement that a worker sees.
macro_rules! now {
    ($worker:ident) => {
        $worker.epoch.as_deref().expect("a worker is outside only while it waits")
    };
}

impl CollapseWorker<'_> {
    /// Waits until the store has what is needed, and adjusts the open state to its arrangement.
    #[cold]
    fn adapt(&mut self, need: Need) -> Result<(), Full> {
        let mut need = Some(need);
        while let Some(one) = need.take() {
            self.epoch = None;
            let result = self.store.rearrange(one);
            self.epoch = self.gate.enter();
            need = self.renew()?;
            result?;
        }
        Ok(())
    }

    /// Adjusts the open state to an arrangement that may be another one than before.
    fn renew(&mut self) -> Result<Option<Need>, Full> {
        let forest = &now!(self).forest;
        self.open.extend(forest, self.store.ledger)?;
        self.open.update(forest);
        match self.open.pack(forest) {
            Ok(key) => {
                self.open.key = key;
                Ok(None)
            }
            Err(need) => Ok(Some(need)),
        }
    }

    /// One attempt to name a target.
    #[inline]
    fn try_name(&mut self, target: &[u32], changed: Option<ComponentMask>) -> Result<u64, Trouble> {
        let forest = &now!(self).forest;
        let open = &self.open;
        let ledger = self.store.ledger;
        self.touched.clear();
        match changed {
            Some(mask) if mask != ComponentMask::ALL && target.len() == open.state.len() => {
                let mut bits = mask.0;
                while bits != 0 {
                    let component = bits.trailing_zeros() as usize;
                    bits &= bits - 1;
                    for leaf in forest.leaves_of(component) {
                        let (start, end) =
                            (open.starts[leaf] as usize, open.starts[leaf + 1] as usize);
                        let words = &target[start..end];
                        if words != &open.state[start..end] {
                            let node = forest.leaves[leaf].node;
                            let dictionary = &forest.nodes[node as usize].dictionary;
                            self.touched.push((node, dictionary.intern(words, ledger)?));
                        }
                    }
                }
            }
            _ => {
                self.ends.clear();
                (self.store.split)(target, &mut self.ends);
                if let (true, Some(&end)) = (self.ends.len() > COMPONENTS, self.ends.last()) {
                    self.ends.truncate(COMPONENTS);
                    self.ends[COMPONENTS - 1] = end;
                }
                let components = self.ends.len();
                let mut next = 0;
                let mut start = self.store.carried;
                for (component, &end) in self.ends.iter().enumerate() {
                    let end = (end as usize).max(start);
                    let pieces = target[start..end].chunks(piece(end - start, components));
                    let leaves = forest.leaves_of(component);
                    if pieces.len() > leaves.len() {
                        let parts = pieces.len() as u32;
                        let component = component as u32;
                        return Err(Trouble::Need(Need::Leaves { component, parts }));
                    }
                    next = next.max(leaves.end);
                    for (leaf, words) in leaves.zip(pieces.chain(std::iter::repeat(&[][..]))) {
                        let node = forest.leaves[leaf].node;
                        let dictionary = &forest.nodes[node as usize].dictionary;
                        let number = dictionary.intern(words, ledger)?;
                        if number != open.numbers[node as usize] {
                            self.touched.push((node, number));
                        }
                    }
                    start = end;
                }
                for leaf in &forest.leaves[next.min(forest.leaves.len())..] {
                    if open.numbers[leaf.node as usize] != 0 {
                        self.touched.push((leaf.node, 0));
                    }
                }
            }
        }
        climb(forest, open, &mut self.touched, ledger)
    }
}

/// The key of the open state with other numbers for some leaves.
#[inline]
fn climb(
    forest: &Forest,
    open: &Open,
    touched: &mut Vec<(u32, u32)>,
    ledger: &Ledger,
) -> Result<u64, Trouble> {
    let mut key = open.key;
    let mut done = 0;
    while let Some(&(node, number)) = touched.get(done) {
        let Some(index) = forest.root_of[node as usize] else {
            return climb_trees(forest, open, touched, done, key, ledger);
        };
        let root = &forest.roots[index as usize];
        if !root.fits(number) {
            let version = forest.version;
            return Err(Trouble::Need(Need::Bits { version, root: index, number }));
        }
        key = key & !root.mask | root.deposit(number);
        done += 1;
    }
    Ok(key)
}

/// The same where nodes have parents: these have greater numbers than their children, so that in
/// order of numbers each finds its children complete.
fn climb_trees(
    forest: &Forest,
    open: &Open,
    touched: &mut Vec<(u32, u32)>,
    done: usize,
    key: u64,
    ledger: &Ledger,
) -> Result<u64, Trouble> {
    let mut key = key;
    touched[done..].sort_unstable();
    let mut done = done;
    while done < touched.len() {
        let node = touched[done].0;
        if let Some((left, right)) = forest.nodes[node as usize].children {
            let value = |child: u32| {
                let found = touched[..done].iter().rev().find(|&&(node, _)| node == child);
                found.map_or(open.numbers[child as usize], |&(_, number)| number)
            };
            let pair = [value(left), value(right)];
            touched[done].1 = intern_pair(forest, node as usize, pair, ledger)?;
        }
        let number = touched[done].1;
        done += 1;
        if let Some(index) = forest.root_of[node as usize] {
            let root = &forest.roots[index as usize];
            if !root.fits(number) {
                let version = forest.version;
                return Err(Trouble::Need(Need::Bits { version, root: index, number }));
            }
            key = key & !root.mask | root.deposit(number);
        } else if let Some(parent) = forest.nodes[node as usize].parent {
            let at = done + touched[done..].partition_point(|&(other, _)| other < parent);
            if touched.get(at).is_none_or(|&(other, _)| other != parent) {
                touched.insert(at, (parent, 0));
            }
        }
    }
    Ok(key)
}

impl StoreWorker for CollapseWorker<'_> {
    fn open(&mut self, version: u32, records: &[u32]) -> usize {
        let carried = self.store.carried;
        let key = u64::from(records[0]) | u64::from(records[1]) << 32;
        let epoch = now!(self);
        if version == epoch.forest.version {
            let difference = key ^ self.open.key;
            for root in &epoch.forest.roots {
                if difference & root.mask != 0 {
                    self.open.assign(&epoch.forest, root.node, root.extract(key));
                }
            }
            self.open.key = key;
            self.open.update(&epoch.forest);
        } else {
            let past = &epoch.past[version as usize];
            for root in &past.roots {
                self.open.assign(&epoch.forest, root.node, root.extract(key));
            }
            self.open.numbers.truncate(past.nodes.len());
            // What was stored has its numbers, so nothing is made here that could be refused.
            let _ = self.renew();
        }
        self.open.state[..carried].copy_from_slice(&records[2..2 + carried]);
        2 + carried
    }

    fn state(&self) -> &[u32] {
        &self.open.state
    }

    #[inline]
    fn name(&mut self, target: &[u32], changed: Option<ComponentMask>) -> Result<Name, Full> {
        loop {
            match self.try_name(target, changed) {
                Ok(key) => {
                    let epoch = now!(self);
                    let place =
                        if epoch.table.admits(key) { epoch.table.prepare(key).0 } else { 0 };
                    return Ok(Name { key, place, epoch: epoch.number });
                }
                Err(Trouble::Full(full)) => return Err(full),
                Err(Trouble::Need(need)) => self.adapt(need)?,
            }
        }
    }

    #[inline]
    fn insert(&mut self, name: &mut Name, target: &[u32]) -> Result<Seen, Full> {
        loop {
            if name.epoch != now!(self).number {
                *name = self.name(target, None)?;
            }
            let epoch = now!(self);
            if !epoch.table.admits(name.key) {
                self.adapt(Need::Domain { key: name.key })?;
                continue;
            }
            let image = Image(name.place);
            let store = self.store;
            if store.len.load(Ordering::Relaxed) + self.new >= store.max.load(Ordering::Relaxed) {
                return if epoch.table.contains(image) { Ok(Seen::Old) } else { Err(Full::States) };
            }
            match epoch.table.insert(image) {
                Ok(seen) => {
                    self.new += u64::from(seen == Seen::New);
                    return Ok(seen);
                }
                Err(_) => {
                    let epoch = epoch.number;
                    self.adapt(Need::Room { epoch })?;
                }
            }
        }
    }

    fn unmark(&mut self, version: u32, records: &[u32]) {
        let words = 2 + self.store.carried;
        let mut images = [Image(0); 32];
        for batch in records.chunks(32 * words) {
            let count = batch.len() / words;
            for (image, record) in images.iter_mut().zip(batch.chunks(words)) {
                let mut key = u64::from(record[0]) | u64::from(record[1]) << 32;
                if version != now!(self).forest.version {
                    self.open(version, record);
                    key = self.open.key;
                }
                *image = now!(self).table.prepare(key);
            }
            for &image in &images[..count] {
                now!(self).table.unmark(image);
            }
        }
    }

    fn contains(&mut self, target: &[u32]) -> Result<bool, Full> {
        let name = self.name(target, None)?;
        let epoch = now!(self);
        Ok(epoch.table.admits(name.key) && epoch.table.contains(Image(name.place)))
    }

    fn record(&self, name: Name, target: &[u32], records: &mut Vec<u32>) {
        records.extend_from_slice(&[name.key as u32, (name.key >> 32) as u32]);
        records.extend_from_slice(&target[..self.store.carried]);
    }

    fn version(&self) -> u32 {
        now!(self).forest.version
    }

    fn stored(&self) -> u64 {
        self.store.len() + self.new
    }

    fn leave(&mut self) {
        self.epoch = None;
    }

    fn enter(&mut self) -> Result<(), Full> {
        if self.epoch.is_none() {
            self.epoch = self.gate.enter();
            if let Some(need) = self.renew()? {
                self.adapt(need)?;
            }
        }
        Ok(())
    }

    fn pause(&mut self) -> Result<(), Full> {
        let len = self.store.len.fetch_add(self.new, Ordering::Relaxed) + self.new;
        self.new = 0;
        let epoch = now!(self);
        let slots = epoch.table.plan().slots();
        if len > slots / 5 * 4 && !self.store.last_table.load(Ordering::Relaxed) {
            let epoch = epoch.number;
            // Without a larger table this one is filled to the brim.
            let _ = self.adapt(Need::Room { epoch });
        } else if self.store.gates.len() > 1 {
            // Whoever waits to rearrange the store gets his turn.
            let before = epoch.number;
            self.epoch = None;
            self.epoch = self.gate.enter();
            if now!(self).number != before
                && let Some(need) = self.renew()?
            {
                self.adapt(need)?;
            }
        }
        Ok(())
    }
}
