//! What one thread does with the store.

use std::sync::Arc;
use std::sync::RwLockReadGuard;
use std::sync::atomic::Ordering;

use everypath_model::{ComponentMask, Successors, TransitionSystem};

use crate::ledger::Ledger;
use crate::lossy::filter::Tally;
use crate::outcome::Coverage;
use crate::searches::record::Halt;
use crate::stores::forest::{Forest, cut};
use crate::stores::store::{Flat, Full, Name, Seen, Store, StoreWorker};
use crate::stores::table::Image;

use super::join::intern_pair;
use super::layout::Layout;
use super::memo::Memo;
use super::open::Open;
use super::quick::Quick;
use super::recent::{Known, Recent};
use super::sieve::Sieve;
use super::{Collapse, Epoch, Gate, Need, Trouble, lock};

/// One thread's access to a [`Collapse`].
pub(crate) struct CollapseWorker<'s> {
    pub(super) store: &'s Collapse<'s>,
    pub(super) gate: &'s Gate,
    /// `None` only while the store is rearranged.
    pub(super) epoch: Option<RwLockReadGuard<'s, Arc<Epoch>>>,
    /// States that it stored and that are not counted yet.
    pub(super) new: u64,
    pub(super) open: Open,
    pub(super) ends: Vec<u32>,
    pub(super) touched: Vec<(u32, u32)>,
    pub(super) recent: Recent,
    pub(super) layout: Layout,
    /// What parts of states did before, if the system has parts.
    pub(super) memo: Option<Box<Memo>>,
    pub(super) quick: Quick,
    /// What it has put into a filter and not told yet.
    pub(super) tally: Tally,
}

/// States after which it is told at the latest how many there are.
const OFTEN: u64 = 1 << 10;

/// The arrangement that a worker sees.
macro_rules! now {
    ($worker:ident) => {
        $worker.epoch.as_deref().expect("a worker is outside only while it waits")
    };
}
pub(super) use now;

impl CollapseWorker<'_> {
    /// Waits until the store has what is needed, and adjusts the open state to its arrangement.
    #[cold]
    pub(super) fn adapt(&mut self, need: Need) -> Result<(), Full> {
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
    pub(super) fn renew(&mut self) -> Result<Option<Need>, Full> {
        let forest = &now!(self).forest;
        if self.open.rebuilt != forest.rebuilt {
            self.number_again()?;
        }
        let forest = &now!(self).forest;
        self.open.extend(forest, self.store.ledger)?;
        self.open.update(forest);
        self.recent.renew(forest.version);
        self.layout.renew(forest, &self.open.starts);
        match self.open.pack(forest) {
            Ok(key) => {
                self.open.key = key;
                Ok(None)
            }
            Err(need) => Ok(Some(need)),
        }
    }

    /// Numbers the pieces of the open state in a forest that was made anew. It was stored, so it has
    /// its leaves and its numbers.
    #[cold]
    fn number_again(&mut self) -> Result<(), Full> {
        let forest = &now!(self).forest;
        let open = &mut self.open;
        open.rebuilt = forest.rebuilt;
        open.dirty.clear();
        open.starts.clear();
        open.numbers.clear();
        open.numbers.resize(forest.nodes.len(), 0);
        if open.state.len() == self.store.carried {
            return Ok(());
        }
        self.ends.clear();
        (self.store.split)(&open.state, &mut self.ends);
        forest.number(
            &open.state,
            self.store.carried,
            &mut self.ends,
            &mut open.numbers,
            |node, words| forest.nodes[node].dictionary.intern(words, self.store.ledger),
        )?;
        for node in 0..forest.nodes.len() {
            if let Some((left, right)) = forest.nodes[node].children {
                let pair = [open.numbers[left as usize], open.numbers[right as usize]];
                open.numbers[node] =
                    intern_pair(&forest.nodes[node].dictionary, pair, self.store.ledger)?;
            }
        }
        Ok(())
    }

    /// Opens a state of an older version; what is missing for it, if something is.
    pub(super) fn reopen(&mut self, version: u32, record: &[u32]) -> Result<Option<Need>, Full> {
        let epoch = now!(self);
        let key = u64::from(record[0]) | u64::from(record[1]) << 32;
        let Some(past) = epoch.past.get(version as usize) else {
            self.open.take_key(&epoch.forest, key);
            return self.renew();
        };
        if past.rebuilt != epoch.forest.rebuilt {
            // Nothing of it is in use any more but the words.
            let mut vector = Vec::new();
            past.words(key, &mut vector);
            return self.open_vector(&vector);
        }
        self.open.starts.clear();
        for root in &past.roots {
            self.open.assign(&epoch.forest, root.node, root.extract(key));
        }
        self.open.numbers.truncate(past.nodes.len());
        self.renew()
    }

    /// Opens a state that is there as a vector without what is carried along.
    fn open_vector(&mut self, vector: &[u32]) -> Result<Option<Need>, Full> {
        let mut target = vec![0; self.store.carried];
        target.extend_from_slice(vector);
        let name = self.slow_name(&target, None)?;
        let epoch = now!(self);
        self.open.take_key(&epoch.forest, name.key);
        self.renew()
    }

    /// Stores what was named for the present arrangement; `None` if the table is too full.
    #[inline]
    pub(super) fn insert_here(&mut self, image: Image) -> Result<Option<Seen>, Full> {
        if let Some(sieve) = &self.store.sieve {
            return self.insert_in(sieve, image).map(Some);
        }
        let epoch = now!(self);
        if self.store.counted() + self.new >= self.store.most() {
            return epoch.table.look(image).map(Some).ok_or(Full::States);
        }
        let seen = epoch.table.insert(image).ok();
        self.new += u64::from(seen == Some(Seen::New));
        Ok(seen)
    }

    fn insert_in(&mut self, sieve: &Sieve<'_>, image: Image) -> Result<Seen, Full> {
        let key = now!(self).table.key(image);
        if self.store.counted() + self.new >= self.store.most() {
            return if sieve.contains(key) { Ok(Seen::Known) } else { Err(Full::States) };
        }
        let new = sieve.insert(key, &mut self.tally)?;
        self.new += u64::from(new);
        self.tally.new += u64::from(new);
        if new {
            self.add_to_sample(key);
        }
        Ok(if new { Seen::New } else { Seen::Known })
    }

    /// Counts what it has stored for all. Without `patience` also what was probably omitted.
    fn tell(&mut self, patience: bool) {
        let asked = self.memo.as_mut().map_or(0, |memo| memo.asked());
        self.store.count(std::mem::take(&mut self.new), asked);
        if let Some(sieve) = &self.store.sieve
            && self.tally.new >= if patience { sieve.filter().patience() } else { 1 }
        {
            sieve.tell(&mut self.tally);
        }
    }

    /// Notes a key beside a filter, if there is room.
    #[inline]
    pub(super) fn add_to_sample(&self, key: u64) {
        let table = &now!(self).table;
        if self.store.counted() < table.plan().slots() / 2 {
            let _ = table.insert(table.prepare(key));
        }
    }

    /// The key of a target whose pieces all were met lately.
    #[inline]
    fn quick_key(&self, target: &[u32], changed: ComponentMask) -> Option<u64> {
        if changed == ComponentMask::ALL || target.len() != self.open.state.len() {
            return None;
        }
        let mut key = self.open.key;
        let mut bits = changed.0;
        while bits != 0 {
            let component = bits.trailing_zeros() as usize;
            bits &= bits - 1;
            for piece in self.layout.of(component) {
                let bounds = piece.start as usize..piece.end as usize;
                let words = &target[bounds.clone()];
                if piece.several && same(words, &self.open.state[bounds]) {
                    continue;
                }
                let known = self.recent.find(piece.node, words).1?;
                if piece.mask == 0 {
                    return None;
                }
                key = key & !piece.mask | known.code;
            }
        }
        Some(key)
    }

    fn slow_name(&mut self, target: &[u32], changed: Option<ComponentMask>) -> Result<Name, Full> {
        loop {
            match self.try_name(target, changed) {
                Ok(key) => return Ok(now!(self).name(key)),
                Err(Trouble::Full(full)) => return Err(full),
                Err(Trouble::Need(need)) => self.adapt(need)?,
            }
        }
    }

    /// One attempt to name a target.
    fn try_name(&mut self, target: &[u32], changed: Option<ComponentMask>) -> Result<u64, Trouble> {
        let forest = &now!(self).forest;
        let open = &self.open;
        let ledger = self.store.ledger;
        self.touched.clear();
        let mut key = open.key;
        match changed {
            Some(mask) if mask != ComponentMask::ALL && target.len() == open.state.len() => {
                let mut bits = mask.0;
                while bits != 0 {
                    let component = bits.trailing_zeros() as usize;
                    bits &= bits - 1;
                    let leaves = forest.leaves_of(component);
                    let several = leaves.len() > 1;
                    for leaf in leaves {
                        let (start, end) =
                            (open.starts[leaf] as usize, open.starts[leaf + 1] as usize);
                        let words = &target[start..end];
                        if several && words == &open.state[start..end] {
                            continue;
                        }
                        let node = forest.leaves[leaf].node;
                        let (at, known) = self.recent.find(node, words);
                        if let Some(known) = known {
                            match forest.masks[node as usize] {
                                // Not a root.
                                0 => self.touched.push((node, known.number)),
                                mask => key = key & !mask | known.code,
                            }
                            continue;
                        }
                        let dictionary = &forest.nodes[node as usize].dictionary;
                        let number = dictionary.intern(words, ledger)?;
                        let mut code = 0;
                        match forest.root_of[node as usize] {
                            Some(root) => {
                                code = deposit(forest, root, number)?;
                                key = key & !forest.masks[node as usize] | code;
                            }
                            None => self.touched.push((node, number)),
                        }
                        self.recent.keep(at, node, words, Known { number, code });
                    }
                }
            }
            _ => {
                self.ends.clear();
                (self.store.split)(target, &mut self.ends);
                cut(&mut self.ends);
                let mut next = 0;
                let mut start = self.store.carried;
                for (component, &end) in self.ends.iter().enumerate() {
                    let end = (end as usize).max(start);
                    let words = forest.piece(component, end - start);
                    let pieces = target[start..end].chunks(words);
                    let leaves = forest.leaves_of(component);
                    if pieces.len() > leaves.len() {
                        if self.store.counted() + self.new == 0 {
                            *lock(&self.store.first) = (target[start..end].to_vec(), words);
                        }
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
                    let node = leaf.node as usize;
                    let absent = forest.nodes[node].dictionary.intern(&[], ledger)?;
                    if open.numbers[node] != absent {
                        self.touched.push((leaf.node, absent));
                    }
                }
            }
        }
        climb(forest, open, &mut self.touched, &mut self.recent, key, ledger)
    }
}

/// Whether two short pieces are equal; a call would cost more than the comparison.
#[inline]
fn same(a: &[u32], b: &[u32]) -> bool {
    a.iter().zip(b).fold(0, |all, (a, b)| all | (a ^ b)) == 0
}

/// The bits of the key for the number of a root.
#[inline]
fn deposit(forest: &Forest, index: u32, number: u32) -> Result<u64, Trouble> {
    let root = &forest.roots[index as usize];
    if root.fits(number) {
        return Ok(root.deposit(number));
    }
    Err(Trouble::Need(Need::Bits { version: forest.version, root: index, number }))
}

/// A key with other numbers for some leaves of the open state.
#[inline]
fn climb(
    forest: &Forest,
    open: &Open,
    touched: &mut Vec<(u32, u32)>,
    recent: &mut Recent,
    key: u64,
    ledger: &Ledger,
) -> Result<u64, Trouble> {
    let mut key = key;
    let mut done = 0;
    while let Some(&(node, number)) = touched.get(done) {
        let Some(index) = forest.root_of[node as usize] else {
            return climb_trees(forest, open, touched, done, recent, key, ledger);
        };
        key = key & !forest.masks[node as usize] | deposit(forest, index, number)?;
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
    recent: &mut Recent,
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
            let dictionary = &forest.nodes[node as usize].dictionary;
            touched[done].1 = recent.pair(node, pair, || intern_pair(dictionary, pair, ledger))?;
        }
        let number = touched[done].1;
        done += 1;
        if let Some(index) = forest.root_of[node as usize] {
            key = key & !forest.masks[node as usize] | deposit(forest, index, number)?;
        } else if let Some(parent) = forest.nodes[node as usize].parent {
            let at = done + touched[done..].partition_point(|&(other, _)| other < parent);
            if touched.get(at).is_none_or(|&(other, _)| other != parent) {
                touched.insert(at, (parent, 0));
            }
        }
    }
    Ok(key)
}

impl CollapseWorker<'_> {
    /// Gives those that were stored before the last change of the arrangement the keys that they have
    /// now, by which they will be recorded.
    fn name_again(
        &mut self,
        steps: &Successors,
        names: &mut [Name],
        seen: &[Seen],
    ) -> Result<(), Full> {
        for ((step, name), &seen) in steps.steps().iter().zip(names).zip(seen) {
            if seen == Seen::New && name.epoch != now!(self).number {
                *name = self.slow_name(steps.target(step), None)?;
            }
        }
        Ok(())
    }
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
            if self.open.update(&epoch.forest) {
                self.layout.renew(&epoch.forest, &self.open.starts);
            }
        } else {
            // What was stored has its numbers, so nothing is made here that could be refused.
            let _ = self.reopen(version, records);
        }
        self.open.state[..carried].copy_from_slice(&records[2..2 + carried]);
        2 + carried
    }

    fn state(&self) -> &[u32] {
        &self.open.state
    }

    #[inline]
    fn name(&mut self, target: &[u32], changed: Option<ComponentMask>) -> Result<Name, Full> {
        if let Some(changed) = changed
            && let Some(key) = self.quick_key(target, changed)
        {
            return Ok(now!(self).name(key));
        }
        self.slow_name(target, changed)
    }

    fn name_all(&mut self, steps: &Successors, names: &mut Vec<Name>) -> Result<(), Full> {
        names.reserve(steps.len());
        let from = names.len();
        for step in steps.steps() {
            let target = steps.target(step);
            let name = match self.quick_key(target, step.changed) {
                _ if step.fatal => Name::NONE,
                Some(key) => now!(self).name(key),
                None => self.slow_name(target, Some(step.changed))?,
            };
            names.push(name);
        }
        if let Some(sieve) = &self.store.sieve {
            names[from..].iter().for_each(|name| sieve.prefetch(name.key));
        }
        Ok(())
    }

    fn insert_all(
        &mut self,
        steps: &Successors,
        names: &mut [Name],
        seen: &mut Vec<Seen>,
    ) -> Result<(), Full> {
        let epoch = now!(self);
        let store = self.store;
        let stored = store.counted() + self.new;
        if store.sieve.is_none() && stored + names.len() as u64 <= store.most() {
            seen.resize(names.len(), Seen::Old);
            let (done, new) = epoch.table.insert_all(names, epoch.number, seen);
            self.new += new;
            if done == names.len() {
                return Ok(());
            }
            seen.truncate(done);
        }
        // Names of another arrangement, a full table, a limit.
        let result = self.insert_each(steps, names, seen);
        self.name_again(steps, names, seen)?;
        result
    }

    #[inline]
    fn insert(&mut self, name: &mut Name, target: &[u32]) -> Result<Seen, Full> {
        loop {
            if name.epoch != now!(self).number {
                *name = self.name(target, None)?;
            }
            if name.epoch == u32::MAX {
                self.adapt(Need::Domain { key: name.key })?;
                continue;
            }
            match self.insert_here(Image(name.place))? {
                Some(seen) => return Ok(seen),
                None => {
                    let epoch = now!(self).number;
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
        let image = Image(name.place);
        Ok(match &self.store.sieve {
            Some(sieve) => sieve.contains(name.key),
            None => name.epoch != u32::MAX && now!(self).table.contains(image),
        })
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

    fn recalls(&self) -> bool {
        self.memo.as_ref().is_some_and(|memo| memo.pays())
    }

    fn recall<S: TransitionSystem>(
        &mut self,
        system: &S,
        worker: &mut S::Worker,
        from: (u32, &[u32]),
        enough: usize,
        flat: &mut Flat,
        coverage: &mut Coverage,
    ) -> Result<usize, Halt> {
        self.recall_states(system, worker, from, enough, flat, coverage)
    }

    fn insert_flat(&mut self, flat: &mut Flat, from: usize, to: usize) -> Result<(), Full> {
        self.insert_targets(flat, from, to)
    }

    fn insert_until(
        &mut self,
        flat: &mut Flat,
        from: usize,
        to: usize,
        tell_marked: bool,
    ) -> Result<(usize, Seen), Full> {
        self.insert_some_until(flat, from, to, tell_marked)
    }

    fn epoch(&self) -> u32 {
        now!(self).number
    }

    fn key_bits(&self, component: usize) -> Option<u64> {
        let forest = &now!(self).forest;
        let leaves = forest.leaves_of(component);
        let masks = leaves.map(|leaf| forest.tree_mask(forest.leaves[leaf].node));
        Some(masks.fold(0, |all, mask| all | mask))
    }

    fn key_of(&mut self, version: u32, record: &[u32]) -> Option<u64> {
        if version == now!(self).forest.version {
            return Some(u64::from(record[0]) | u64::from(record[1]) << 32);
        }
        self.open(version, record);
        Some(self.open.key)
    }

    fn settle(&mut self) -> Result<(), Full> {
        let result = self.pause();
        self.tell(false);
        result
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
        let epoch = now!(self);
        let slots = match &self.store.sieve {
            Some(_) => u64::MAX,
            None => epoch.table.plan().slots(),
        };
        // Now and then only, unless the number is limited: all threads write there.
        let alone = self.store.gates.len() == 1;
        if alone || self.new >= OFTEN.min(slots / 64) || self.store.most() != u64::MAX {
            self.tell(true);
        }
        let epoch = now!(self);
        let len = self.store.counted() + self.new;
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
