//! The steps of states from memory, as far as they are there.

use everypath_model::{Successors, Touched, TransitionSystem};

use crate::outcome::Coverage;
use crate::searches::record::Halt;
use crate::stores::store::{Flat, Full, Name, Seen, StoreWorker};
use crate::stores::table::{Overflow, Target};

use super::Need;
use super::memo::{Gap, Keys, Memo};
use super::worker::{CollapseWorker, now};

/// Memory of [`CollapseWorker::recall_states`].
#[derive(Default)]
pub(super) struct Quick {
    keys: Keys,
    steps: Successors,
    names: Vec<Name>,
    touched: Vec<Touched>,
}

/// What came of asking the system.
enum Asked {
    Steps,
    Special,
    /// Keys have another meaning now, or there are other parts.
    Moved,
}

impl CollapseWorker<'_> {
    /// See [`StoreWorker::recall`].
    pub(super) fn recall_states<S: TransitionSystem>(
        &mut self,
        system: &S,
        worker: &mut S::Worker,
        from: (u32, &[u32]),
        enough: usize,
        flat: &mut Flat,
        coverage: &mut Coverage,
    ) -> Result<usize, Halt> {
        let Some(mut memo) = self.memo.take() else { return Ok(0) };
        let result = match memo.use_it() {
            true => self.recall_with(&mut memo, system, worker, from, enough, flat, coverage),
            false => Ok(0),
        };
        self.memo = Some(memo);
        result
    }

    #[expect(clippy::too_many_arguments)]
    fn recall_with<S: TransitionSystem>(
        &mut self,
        memo: &mut Memo,
        system: &S,
        worker: &mut S::Worker,
        (version, records): (u32, &[u32]),
        enough: usize,
        flat: &mut Flat,
        coverage: &mut Coverage,
    ) -> Result<usize, Halt> {
        let epoch = now!(self);
        memo.renew(epoch.number, &epoch.forest);
        if !memo.pays() {
            return Ok(0);
        }
        let meaning = epoch.forest.version;
        self.quick.keys.clear();
        for record in records.chunks_exact(2) {
            if self.quick.keys.len() >= enough || now!(self).forest.version != meaning {
                break;
            }
            let mut key = u64::from(record[0]) | u64::from(record[1]) << 32;
            let mut opened = version != meaning;
            if opened {
                self.open(version, record);
                key = self.open.key;
            }
            let before = self.quick.keys.len();
            let mut from = 0;
            let mut known = true;
            while let Err(gap) = memo.recall(from, key, &mut self.quick.keys) {
                let Gap::Part(index) = gap else {
                    known = false;
                    break;
                };
                if memo.recall_known(index, key, &mut self.quick.keys) {
                    from = index + 1;
                    continue;
                }
                if !opened {
                    self.open(version, record);
                    opened = true;
                }
                match self.ask(memo, index, system, worker, coverage)? {
                    Asked::Steps => from = index + 1,
                    Asked::Special | Asked::Moved => {
                        known = false;
                        break;
                    }
                }
            }
            if !known || self.quick.keys.len() == before {
                self.quick.keys.truncate(before);
                break;
            }
            flat.ends.push(self.quick.keys.len() as u32);
        }
        memo.count(flat.ends.len());
        flat.version = meaning;
        let epoch = now!(self);
        if meaning == epoch.forest.version && epoch.forest.used <= epoch.table.bits() {
            flat.epoch = epoch.number;
            let aim = epoch.table.aim(self.store.gates.len() > 1);
            let keys = self.quick.keys.as_slice().iter().copied();
            match &self.store.sieve {
                Some(sieve) => sieve.aim(keys, &mut flat.targets),
                None => flat.targets.extend(keys.map(|key| aim.at(key))),
            }
        } else {
            // They are aimed when it is known at what.
            flat.epoch = u32::MAX;
            let keys = self.quick.keys.as_slice().iter();
            flat.targets.extend(keys.map(|&key| Target::at_no_place(key)));
        }
        Ok(flat.ends.len())
    }

    /// Asks the system for the steps of a part of the open state.
    #[cold]
    fn ask<S: TransitionSystem>(
        &mut self,
        memo: &mut Memo,
        index: usize,
        system: &S,
        worker: &mut S::Worker,
        coverage: &mut Coverage,
    ) -> Result<Asked, Halt> {
        memo.ask();
        let key = self.open.key;
        let (part, component) = memo.part(index);
        let mut extent = memo.extent(index, key);
        if extent.is_none() {
            let forest = &now!(self).forest;
            let leaf = forest.leaves_of(component).start;
            let words = match self.open.starts.get(leaf..leaf + 2) {
                Some(bounds) => bounds[1] - bounds[0],
                None => 0,
            };
            let touched = &mut self.quick.touched;
            touched.clear();
            let known = match words {
                0 => None,
                words => {
                    let state = &self.open.state;
                    Some(system.touched(worker, state, part, words as usize, touched))
                }
            };
            let known = known.map(|known| (known, &touched[..]));
            if let Some(set) = memo.learn(index, key, known, forest, self.store.ledger) {
                self.store.note_touched(set);
            }
            memo.extent(index, key);
            extent = Some(words > 0);
        }
        if extent == Some(false) {
            memo.keep(index, key, Some(&[]), self.store.ledger);
            return Ok(Asked::Steps);
        }
        match memo.recall_one(index, key, &mut self.quick.keys) {
            Ok(()) => return Ok(Asked::Steps),
            Err(Gap::Special) => return Ok(Asked::Special),
            Err(Gap::Part(_)) => {}
        }
        let mut steps = std::mem::take(&mut self.quick.steps);
        let mut names = std::mem::take(&mut self.quick.names);
        steps.clear();
        names.clear();
        let result = self.ask_steps(memo, index, system, worker, &mut steps, &mut names, coverage);
        self.quick.steps = steps;
        self.quick.names = names;
        result
    }

    #[expect(clippy::too_many_arguments)]
    fn ask_steps<S: TransitionSystem>(
        &mut self,
        memo: &mut Memo,
        index: usize,
        system: &S,
        worker: &mut S::Worker,
        steps: &mut Successors,
        names: &mut Vec<Name>,
        coverage: &mut Coverage,
    ) -> Result<Asked, Halt> {
        let key = self.open.key;
        let (part, _) = memo.part(index);
        let ledger = self.store.ledger;
        system.part_steps(worker, &self.open.state, part, steps)?;
        if steps.incomplete.is_some() || steps.steps().iter().any(|step| step.fault.is_some()) {
            memo.keep(index, key, None, ledger);
            return Ok(Asked::Special);
        }
        for step in steps.steps() {
            coverage.insert(steps.actions(step));
        }
        let version = now!(self).forest.version;
        self.name_all(steps, names)?;
        let epoch = now!(self);
        if epoch.forest.version != version {
            return Ok(Asked::Moved);
        }
        if memo.renew(epoch.number, &epoch.forest) {
            return Ok(Asked::Moved);
        }
        // The bits that a part touches may be other ones by now.
        memo.extent(index, key);
        let from = self.quick.keys.len();
        for name in names.iter() {
            self.quick.keys.push(name.key);
        }
        memo.keep(index, key, Some(&self.quick.keys.as_slice()[from..]), ledger);
        Ok(Asked::Steps)
    }

    /// See [`StoreWorker::insert_flat`].
    #[inline]
    pub(super) fn insert_targets(
        &mut self,
        flat: &mut Flat,
        from: usize,
        to: usize,
    ) -> Result<(), Full> {
        let result = self.insert_some(flat, from, to);
        // Those behind one that did not fit at first may have come before it.
        if !flat.new.is_sorted() {
            flat.new.sort_unstable();
        }
        result
    }

    /// See [`StoreWorker::insert_until`].
    #[inline]
    pub(super) fn insert_some_until(
        &mut self,
        flat: &mut Flat,
        from: usize,
        to: usize,
        tell_marked: bool,
    ) -> Result<(usize, Seen), Full> {
        let mut from = from;
        loop {
            let epoch = now!(self);
            if flat.epoch != epoch.number {
                self.aim_again(flat)?;
                continue;
            }
            let free = self.store.counted() + self.new < self.store.most();
            if self.store.sieve.is_some() || !free {
                return self.insert_slowly_until(flat, from, to, tell_marked);
            }
            let (done, seen) = epoch.table.insert_until(&flat.targets[from..to], tell_marked);
            from += done;
            match seen {
                Ok(seen) => {
                    self.new += u64::from(seen == Seen::New);
                    return Ok((from, seen));
                }
                Err(Overflow) => {
                    let epoch = epoch.number;
                    self.adapt(Need::Room { epoch })?;
                }
            }
        }
    }

    /// The same one by one, in a filter or as far as the number of states allows.
    #[cold]
    fn insert_slowly_until(
        &mut self,
        flat: &mut Flat,
        from: usize,
        to: usize,
        tell_marked: bool,
    ) -> Result<(usize, Seen), Full> {
        for at in from..to {
            let seen = self.insert_one(flat, at)?;
            let told = tell_marked && matches!(seen, Seen::Marked | Seen::Known);
            if seen == Seen::New || told {
                return Ok((at + 1, seen));
            }
        }
        Ok((to, Seen::Old))
    }

    /// Stores one target.
    fn insert_one(&mut self, flat: &mut Flat, at: usize) -> Result<Seen, Full> {
        loop {
            let image = now!(self).table.prepare(flat.targets[at].key);
            if let Some(seen) = self.insert_here(image)? {
                return Ok(seen);
            }
            let epoch = now!(self).number;
            self.adapt(Need::Room { epoch })?;
            self.aim_again(flat)?;
        }
    }

    #[inline]
    fn insert_some(&mut self, flat: &mut Flat, from: usize, to: usize) -> Result<(), Full> {
        let mut from = from;
        while from < to {
            let epoch = now!(self);
            if flat.epoch != epoch.number {
                self.aim_again(flat)?;
                continue;
            }
            let stored = self.store.counted() + self.new;
            let known = flat.new.len();
            if stored + (to - from) as u64 > self.store.most() {
                return self.insert_the_last(flat, from, to);
            }
            let targets = &flat.targets[from..to];
            let done = match &self.store.sieve {
                Some(sieve) => sieve.filter().insert_all(targets, &mut flat.new, &mut self.tally),
                None => epoch.table.insert_targets(targets, &mut flat.new),
            };
            for new in &mut flat.new[known..] {
                *new += from as u32;
            }
            let new = (flat.new.len() - known) as u64;
            self.new += new;
            from += done;
            flat.done = from;
            if self.store.sieve.is_some() {
                self.tally.new += new;
                for &new in &flat.new[known..] {
                    self.add_to_sample(flat.targets[new as usize].key);
                }
                if from < to {
                    return Err(Full::Memory);
                }
            } else if from < to {
                let epoch = now!(self).number;
                self.adapt(Need::Room { epoch })?;
            }
        }
        Ok(())
    }

    /// One by one, as far as the number of states allows.
    #[cold]
    fn insert_the_last(&mut self, flat: &mut Flat, from: usize, to: usize) -> Result<(), Full> {
        for index in from..to {
            if self.insert_one(flat, index)? == Seen::New {
                flat.new.push(index as u32);
            }
            flat.done = index + 1;
        }
        Ok(())
    }

    /// Adjusts targets to the present arrangement.
    #[cold]
    fn aim_again(&mut self, flat: &mut Flat) -> Result<(), Full> {
        loop {
            let meaning = now!(self).forest.version;
            if flat.version != meaning {
                let mut keys = Vec::with_capacity(flat.targets.len());
                for target in &flat.targets {
                    let record = [target.key as u32, (target.key >> 32) as u32];
                    // Unlike what is stored, it may need what is not there yet.
                    if let Some(need) = self.reopen(flat.version, &record)? {
                        self.adapt(need)?;
                    }
                    keys.push(self.open.key);
                }
                if now!(self).forest.version != meaning {
                    continue;
                }
                for (target, key) in flat.targets.iter_mut().zip(keys) {
                    target.key = key;
                }
                flat.version = meaning;
            }
            let epoch = now!(self);
            if let Some(target) = flat.targets.iter().find(|t| !epoch.table.admits(t.key)) {
                let key = target.key;
                self.adapt(Need::Domain { key })?;
                continue;
            }
            let aim = epoch.table.aim(self.store.gates.len() > 1);
            match &self.store.sieve {
                Some(sieve) => {
                    let keys: Vec<u64> = flat.targets.drain(..).map(|target| target.key).collect();
                    sieve.aim(keys.into_iter(), &mut flat.targets);
                }
                None => {
                    for target in &mut flat.targets {
                        *target = aim.at(target.key);
                    }
                }
            }
            flat.epoch = epoch.number;
            return Ok(());
        }
    }
}
