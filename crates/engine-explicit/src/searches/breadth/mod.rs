//! Breadth-first search, level by level, by one thread or several.
//!
//! The states of a level lie in segments, which threads take one after the other; what they find
//! makes up the segments of the next level. Work goes in batches: steps of several states are
//! generated and named, which asks for the memory they will need, and only then looked up. With
//! one thread the states are numbered and expanded as by a search without batches.
//!
//! Before a level of a reduced search is expanded its states lose their marks, so that just the
//! states of the next level are marked: which those are does not depend on the order of work. The
//! queue proviso asks for a step to one of them.

mod away;
mod save;
mod trend;

use std::io;
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use everypath_model::{End, Extent, Successors, TransitionSystem, spawn};

use crate::disk::{Shelf, trouble};
use crate::options::{Observer, Progress, Proviso, Reach};
use crate::outcome::{Kind, Outcome, Site};
use crate::searches::barrier::{Alarm, Barrier};
use crate::searches::divided::Divider;
use crate::searches::parents::{Found, Log};
use crate::searches::record::{Halt, Record, Shared};
use crate::stores::store::{Flat, Full, Name, Seen, Store, StoreWorker};
use crate::stores::wire::{In, Out, Source, nonsense};
use save::Begun;
use trend::Trend;

/// Targets that are collected before they are looked up.
const BATCH_TARGETS: usize = 48;
/// States that are expanded for that at most.
const BATCH_STATES: usize = 24;
/// States of a full segment.
const SEGMENT: u32 = 128;

/// Neighbouring states of a level.
#[derive(Debug, Default)]
struct Segment {
    /// What its records have to be opened with.
    version: u32,
    /// The first of its states; the others follow.
    first: Option<Found>,
    count: u32,
    records: Vec<u32>,
    bytes: u64,
    /// Where its records are if they are on the disk, and how many words.
    away: Option<Away>,
}

/// A place on the disk.
#[derive(Clone, Copy, Debug)]
struct Away {
    shelf: Shelf,
    at: u64,
    words: usize,
}

/// A level of the search.
struct Level {
    segments: Vec<Mutex<Option<Segment>>>,
    /// What each thread begins with. Neighbouring states lead to the same states: two threads that
    /// meet them at the same time would wait for each other's cache lines.
    shares: Vec<Share>,
    depth: u64,
}

/// Some segments of a level: the next one, and the end.
#[repr(align(128))]
struct Share {
    next: AtomicUsize,
    end: usize,
}

impl Level {
    /// Takes over the segments. What an old level leaves behind is used again: there may be millions
    /// of levels with a few states each.
    fn new(found: &mut Vec<Segment>, depth: u64, threads: usize, old: Option<Level>) -> Level {
        let (mut segments, mut shares) =
            old.map_or_else(Default::default, |old| (old.segments, old.shares));
        segments.clear();
        shares.clear();
        let place = |thread: usize| found.len() * thread / threads.max(1);
        let share = |thread| Share { next: place(thread).into(), end: place(thread + 1) };
        shares.extend((0..threads.max(1)).map(share));
        segments.extend(found.drain(..).map(|segment| Mutex::new(Some(segment))));
        Level { segments, shares, depth }
    }

    /// The next segment for a thread; what others have not begun if its own share is done.
    fn take(&self, thread: usize) -> Option<(usize, Segment)> {
        let count = self.shares.len();
        (0..count).find_map(|i| {
            let share = &self.shares[(thread + i) % count];
            loop {
                let index = share.next.fetch_add(1, Ordering::Relaxed);
                if index >= share.end {
                    return None;
                }
                if let Some(segment) = lock(&self.segments[index]).take() {
                    return Some((index, segment));
                }
            }
        })
    }
}

/// What the threads share besides the store and the notes.
struct Frontier {
    /// States that were found and not yet expanded.
    waiting: AtomicU64,
    bytes: AtomicU64,
    peak: AtomicU64,
    /// Whether the search ended in the middle of a state that cannot be expanded once more.
    torn: AtomicBool,
}

/// The steps of one state of a batch.
#[derive(Default)]
struct Expansion {
    steps: Successors,
    names: Vec<Name>,
    deadlock: Option<Kind>,
    /// Where the record of the state is in its segment.
    record: usize,
    /// Whether these are all steps of the state.
    all: bool,
}

/// One thread.
struct Thread<'s, S: TransitionSystem, T: Store + 's> {
    index: u32,
    /// The number of its log.
    number: u32,
    system: &'s S,
    worker: S::Worker,
    all: &'s T,
    store: T::Worker<'s>,
    record: Record<'s>,
    log: Log,
    frontier: &'s Frontier,
    batch: Vec<Expansion>,
    seen: Vec<Seen>,
    flat: Flat,
    divider: Divider,
    /// The segment that is being filled, and those that are full.
    out: Segment,
    full: Vec<Segment>,
    /// An empty segment whose memory waits to be used.
    spare: Option<Segment>,
    /// What is left of a segment that was not expanded to its end.
    rest: Option<Segment>,
    trend: Trend,
}

/// What a thread leaves behind.
type Left<'s> = (Record<'s>, Log);

pub(crate) fn search<S: TransitionSystem, T: Store>(
    system: &S,
    store: &T,
    shared: &Shared<'_>,
    observer: &mut dyn Observer,
) -> Outcome {
    let frontier = Frontier {
        waiting: AtomicU64::new(0),
        bytes: AtomicU64::new(0),
        peak: AtomicU64::new(0),
        torn: AtomicBool::new(false),
    };
    observer.begin();
    shared.begin_level(0);
    let mut begun = match shared.options.resume {
        None => Begun::default(),
        Some(input) => {
            match Begun::restore(&mut In(&mut Source(input)), shared, store, &frontier) {
                Ok(begun) => begun,
                Err(error) => return Shared::not_resumed(&error),
            }
        }
    };
    let old = std::mem::take(&mut begun.logs);
    let logs = old.len() as u32;
    let thread = |index: usize| Thread {
        index: index as u32,
        number: logs + index as u32,
        system,
        worker: system.worker(),
        all: store,
        store: store.worker(index),
        record: Record::new(shared),
        log: Log::on(shared.options.disk),
        frontier: &frontier,
        batch: Vec::new(),
        seen: Vec::new(),
        flat: Flat::default(),
        divider: Divider::default(),
        out: Segment::default(),
        full: Vec::new(),
        spare: None,
        rest: None,
        trend: Trend::default(),
    };
    let left = match shared.options.threads {
        0 | 1 => {
            let mut thread = thread(0);
            let mut level = thread.begin(&mut begun);
            let mut found = std::mem::take(&mut begun.found);
            while let Some(now) = level {
                let result = thread.whole_level(&now, observer);
                thread.finish(&mut found);
                thread.keep_end(&result, &now, &found, (&old, &[]));
                level = thread.next_level(result, &mut found, now.depth + 1, Some(now));
                level = thread.pause(level, observer);
                thread.keep_if_due(level.as_ref(), (&old, &[]));
            }
            vec![thread.leave()]
        }
        threads => together(threads, &thread, observer, begun, &old),
    };
    let (records, logs): (Vec<Record<'_>>, Vec<Log>) = left.into_iter().unzip();
    let logs = old.into_iter().chain(logs).collect();
    let stack = frontier.peak.load(Ordering::Relaxed);
    shared.finish(records, store, Some(logs), stack)
}

/// What the threads of a search wait for each other with.
struct Meeting {
    level: Mutex<Option<Arc<Level>>>,
    begin: Barrier,
    unmarked: Barrier,
    end: Barrier,
    found: Mutex<Vec<(u32, Vec<Segment>)>>,
}

/// What a thread wrote down, where others find it between levels.
type Parked<'s> = Mutex<Option<Left<'s>>>;

/// Several threads. Small levels are left to the first one.
fn together<'s, S: TransitionSystem + 's, T: Store + 's>(
    threads: usize,
    thread: &(impl Fn(usize) -> Thread<'s, S, T> + Sync),
    observer: &mut dyn Observer,
    mut begun: Begun<'s>,
    old: &[Log],
) -> Vec<Left<'s>> {
    let parked: Vec<Parked<'s>> = (1..threads).map(|_| Mutex::new(None)).collect();
    let meeting = Meeting {
        level: Mutex::new(None),
        begin: Barrier::new(threads),
        unmarked: Barrier::new(threads),
        end: Barrier::new(threads),
        found: Mutex::new(Vec::new()),
    };
    let alarm = || {
        for barrier in [&meeting.begin, &meeting.unmarked, &meeting.end] {
            barrier.tear_down();
        }
    };
    std::thread::scope(|scope| {
        let _alarm = Alarm(alarm);
        let helpers: Vec<_> = (1..threads)
            .map_while(|index| {
                let (meeting, parked) = (&meeting, &parked[index - 1]);
                spawn(scope, move || {
                    let _alarm = Alarm(alarm);
                    let mut thread = thread(index);
                    thread.store.leave();
                    loop {
                        meeting.begin.wait();
                        thread.unpark(parked);
                        let level = lock(&meeting.level).clone();
                        let Some(level) = level else { break };
                        thread.join_in(meeting, &level, None);
                        thread.park(parked);
                        drop(level);
                        meeting.end.wait();
                    }
                    thread.leave()
                })
            })
            .collect();
        let missing = threads - 1 - helpers.len();
        for barrier in [&meeting.begin, &meeting.unmarked, &meeting.end] {
            barrier.go_without(missing);
        }
        let mut first = thread(0);
        let mut level = first.begin(&mut begun);
        let mut found = std::mem::take(&mut begun.found);
        while let Some(mut now) = level {
            let mut result = Ok(());
            if now.segments.len() < 2 * threads {
                result = first.whole_level(&now, observer);
                first.finish(&mut found);
            } else {
                let all = Arc::new(now);
                *lock(&meeting.level) = Some(all.clone());
                meeting.begin.wait();
                first.join_in(&meeting, &all, Some(observer));
                meeting.end.wait();
                *lock(&meeting.level) = None;
                let mut theirs = std::mem::take(&mut *lock(&meeting.found));
                theirs.sort_by_key(|&(index, _)| index);
                found.extend(theirs.into_iter().flat_map(|(_, segments)| segments));
                now = Arc::into_inner(all).expect("the others have let go of it");
            }
            first.keep_end(&result, &now, &found, (old, &parked));
            level = first.next_level(result, &mut found, now.depth + 1, Some(now));
            level = first.pause(level, observer);
            first.keep_if_due(level.as_ref(), (old, &parked));
        }
        first.store.leave();
        *lock(&meeting.level) = None;
        meeting.begin.wait();
        let mut all = vec![first.leave()];
        for helper in helpers {
            match helper.join() {
                Ok(left) => all.push(left),
                Err(panic) => std::panic::resume_unwind(panic),
            }
        }
        all
    })
}

fn lock<T>(mutex: &Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl<'s, S: TransitionSystem, T: Store> Thread<'s, S, T> {
    /// Works on a level with the others.
    fn join_in(
        &mut self,
        meeting: &Meeting,
        level: &Level,
        observer: Option<&mut (dyn Observer + '_)>,
    ) {
        let mut result = self.store.enter().map_err(Halt::from);
        if self.marks() {
            if result.is_ok() {
                self.unmark(level, self.index as usize, self.record.shared.options.threads);
            }
            self.store.leave();
            meeting.unmarked.wait();
            result = result.and_then(|()| Ok(self.store.enter()?));
        }
        if let Err(halt) = result.and_then(|()| self.level(level, observer)) {
            self.record.shared.halt(halt);
        }
        self.record.tell();
        if let Err(full) = self.store.settle() {
            self.record.shared.halt(full.into());
        }
        let mut segments = Vec::new();
        self.finish(&mut segments);
        lock(&meeting.found).push((self.index, segments));
        self.store.leave();
    }

    fn marks(&self) -> bool {
        self.record.shared.options.reduction.is_some_and(Proviso::needs_marks)
    }

    /// Takes the marks from the states of every `stride`th segment.
    fn unmark(&mut self, level: &Level, first: usize, stride: usize) {
        for segment in level.segments.iter().skip(first).step_by(stride) {
            if let Some(segment) = &*lock(segment) {
                match segment.records(self.disk()) {
                    Ok(records) => self.store.unmark(segment.version, &records),
                    Err(error) => self.record.shared.halt(trouble(&error)),
                }
            }
        }
    }

    /// The next level, unless the search is over.
    fn next_level(
        &mut self,
        result: Result<(), Halt>,
        found: &mut Vec<Segment>,
        depth: u64,
        old: Option<Level>,
    ) -> Option<Level> {
        let shared = self.record.shared;
        if let Err(halt) = result.and_then(|()| {
            self.store.enter()?;
            Ok(self.store.settle()?)
        }) {
            shared.halt(halt);
        }
        if found.is_empty() || shared.stop.load(Ordering::Relaxed) {
            return None;
        }
        if let Some(disk) = self.disk()
            && depth > 0
        {
            disk.clear(Shelf::of_level(depth - 1));
        }
        if let Err(halt) = shared.check_budget(self.all.len()) {
            shared.halt(halt);
            return None;
        }
        shared.begin_level(self.all.len());
        let next = found.iter().map(|segment| u64::from(segment.count)).sum();
        self.all.expect(self.trend.total(self.all.len(), next));
        Some(Level::new(found, depth, shared.options.threads, old))
    }

    /// Lets the observer do something before a level; the level, unless the search is over after that.
    fn pause(&self, level: Option<Level>, observer: &mut dyn Observer) -> Option<Level> {
        let shared = self.record.shared;
        let level = level?;
        match shared.pause(self.all, observer) {
            Ok(()) => Some(level),
            Err(halt) => {
                shared.halt(halt);
                None
            }
        }
    }

    /// Appends the segments filled since the last call.
    fn finish(&mut self, segments: &mut Vec<Segment>) {
        self.close();
        segments.append(&mut self.full);
    }

    fn close(&mut self) {
        if self.out.count > 0 {
            let next = self.spare.take().unwrap_or_default();
            let mut segment = std::mem::replace(&mut self.out, next);
            if let Some(disk) = self.disk() {
                self.put_away(&mut segment, disk);
            }
            self.full.push(segment);
        }
    }

    /// Room for so many words of records; `false` if there is none.
    #[inline]
    fn make_room(&mut self, words: usize) -> bool {
        let out = &mut self.out;
        let before = out.bytes;
        let ledger = self.record.shared.ledger;
        if !ledger.grow_by(&mut out.records, words, &mut out.bytes) {
            return false;
        }
        if out.bytes != before {
            let more = out.bytes - before;
            let bytes = self.frontier.bytes.fetch_add(more, Ordering::Relaxed) + more;
            self.frontier.peak.fetch_max(bytes, Ordering::Relaxed);
        }
        true
    }

    fn leave(mut self) -> Left<'s> {
        // Counts what is not counted yet; there is nothing to insert any more.
        let _ = self.store.enter();
        let _ = self.store.settle();
        (self.record, self.log)
    }

    /// Stores the initial states.
    fn initial(&mut self) -> Result<(), Halt> {
        let mut steps = Successors::new();
        self.system.initial(&mut self.worker, &mut steps)?;
        self.record.note_left_out(&steps);
        if !self.log.reserve(steps.len(), self.record.shared.ledger) {
            return Err(Full::Memory.into());
        }
        self.log.expand(None);
        let result = self.initial_steps(&steps);
        self.log.expanded();
        result
    }

    fn initial_steps(&mut self, steps: &Successors) -> Result<(), Halt> {
        for (ordinal, step) in steps.steps().iter().enumerate() {
            let ordinal = ordinal as u32;
            self.record.coverage.insert(steps.actions(step));
            if let Some(fault) = step.fault {
                let states = self.store.stored();
                let site = || Site::Run(Box::new([ordinal]));
                self.record.violation(Kind::Fault(fault), 0, self.all, states, site)?;
                if step.fatal {
                    continue;
                }
            }
            let target = steps.target(step);
            let mut name = self.store.name(target, None)?;
            let seen = self.store.insert(&mut name, target)?;
            self.record.transitions += 1;
            if seen == Seen::New {
                self.found(name, target, ordinal, 0)?;
            }
        }
        Ok(())
    }

    /// Notes a state that was just stored.
    #[inline]
    fn found(&mut self, name: Name, target: &[u32], ordinal: u32, depth: u64) -> Result<(), Halt> {
        let state = Found { thread: self.number, number: self.log.found() };
        self.log.child(ordinal);
        self.record.depth = depth;
        let version = self.store.version();
        if self.out.count >= SEGMENT || self.out.version != version && self.out.count > 0 {
            self.close();
        }
        let out = &mut self.out;
        if out.count == 0 {
            out.version = version;
            out.first = Some(state);
        }
        if !self.make_room(target.len() + 2) {
            return Err(Full::Memory.into());
        }
        let out = &mut self.out;
        let start = out.records.len();
        self.store.record(name, target, &mut out.records);
        out.count += 1;
        if self.record.shared.options.check_invariants && self.system.invariant_count() > 0 {
            let mut target = target;
            if target.is_empty() {
                self.store.open(version, &self.out.records[start..]);
                target = self.store.state();
            }
            for index in 0..self.system.invariant_count() {
                let found = self.system.violated_invariant(&mut self.worker, target, index)?;
                let Some(fault) = found else { continue };
                let states = self.store.stored();
                let site = || Site::State(state);
                self.record.violation(Kind::Invariant(fault), depth, self.all, states, site)?;
            }
        }
        Ok(())
    }

    /// Expands a level alone.
    fn whole_level(&mut self, level: &Level, observer: &mut dyn Observer) -> Result<(), Halt> {
        if self.marks() {
            self.unmark(level, 0, 1);
        }
        self.level(level, Some(observer))
    }

    /// Expands the states of a level until there are none left.
    fn level(
        &mut self,
        level: &Level,
        mut observer: Option<&mut (dyn Observer + '_)>,
    ) -> Result<(), Halt> {
        while !self.record.shared.stop.load(Ordering::Relaxed) {
            let Some((index, mut segment)) = level.take(self.index as usize) else { break };
            if segment.away.is_some()
                && let Err(halt) = self.fetch(&mut segment)
            {
                *lock(&level.segments[index]) = Some(segment);
                return Err(halt);
            }
            let result = self.segment(&segment, level.depth, &mut observer);
            if let Some(rest) = self.rest.take() {
                *lock(&level.segments[index]) = Some(rest);
            }
            self.recycle(segment);
            result?;
            if let Some(error) = self.log.trouble() {
                return Err(trouble(&error));
            }
        }
        Ok(())
    }

    /// Keeps the memory of a segment for another one, if that is of use.
    fn recycle(&mut self, segment: Segment) {
        let Segment { mut records, bytes, .. } = segment;
        if self.spare.is_none() {
            records.clear();
            self.spare = Some(Segment { records, bytes, ..Segment::default() });
        } else {
            self.record.shared.ledger.give(bytes);
            self.frontier.bytes.fetch_sub(bytes, Ordering::Relaxed);
        }
    }

    fn segment(
        &mut self,
        segment: &Segment,
        depth: u64,
        observer: &mut Option<&mut (dyn Observer + '_)>,
    ) -> Result<(), Halt> {
        let mut batch = std::mem::take(&mut self.batch);
        let mut records = &segment.records[..];
        let mut source = segment.first.unwrap_or(Found { thread: 0, number: 0 });
        let mut result = Ok(());
        // Where the first state is that is not expanded.
        let mut next = 0;
        // What is told to others when the segment is done.
        let mut waiting: u64 = 0;
        // At the depth limit it matters where steps lead to.
        let recall = self.record.shared.parts.is_some() && !self.record.at_depth_limit(depth);
        while !records.is_empty() && result.is_ok() {
            let found = self.log.found();
            let mut failure = None;
            let mut count = 0;
            if recall {
                let halt;
                (count, halt) = self.recalled(segment.version, records, source, depth);
                records = &records[2 * count..];
                source.number += count as u64;
                next = segment.records.len() - records.len();
                if let Some(halt) = halt {
                    result = Err(halt);
                }
            }
            if count == 0 && result.is_ok() {
                let most = if recall && self.store.recalls() { 1 } else { BATCH_STATES };
                (count, failure) = self.generate(segment, &mut records, &mut batch, most);
                for index in 0..count {
                    result = self.expand(segment, &mut batch[index], source, depth);
                    if result.is_err() {
                        break;
                    }
                    source.number += 1;
                    next = match batch[..count].get(index + 1) {
                        Some(expansion) => expansion.record,
                        None => segment.records.len() - records.len(),
                    };
                }
            }
            if let (Ok(()), Some(observer)) = (&result, &mut *observer) {
                let (store, frontier) = (self.all, self.frontier);
                result = self.record.poll(count as u32, &mut **observer, || Progress {
                    states: store.len(),
                    depth,
                    frontier: frontier.waiting.load(Ordering::Relaxed),
                    transitions: 0,
                    bytes: 0,
                    errors: 0,
                });
            }
            let found = self.log.found() - found;
            // Wraps: the sum of all threads is right.
            waiting = waiting.wrapping_add(found).wrapping_sub(count as u64);
            if let (Ok(()), Some(halt)) = (&result, failure) {
                result = Err(halt);
            }
            if let (Ok(()), Err(full)) = (&result, self.store.pause()) {
                result = Err(full.into());
            }
            if observer.is_none() && self.record.shared.stop.load(Ordering::Relaxed) {
                break;
            }
        }
        self.frontier.waiting.fetch_add(waiting, Ordering::Relaxed);
        self.batch = batch;
        if next < segment.records.len() {
            self.rest = Some(segment.rest(next, source));
        }
        result
    }

    /// Expands states of which the store remembers what they do; how many it were, and whether the
    /// search has to end behind them.
    fn recalled(
        &mut self,
        version: u32,
        records: &[u32],
        source: Found,
        depth: u64,
    ) -> (usize, Option<Halt>) {
        let mut flat = std::mem::take(&mut self.flat);
        flat.clear();
        let result = self.recall_into(&mut flat, version, records, source, depth);
        self.flat = flat;
        match result {
            Ok((states, halt)) => (states, halt),
            Err(halt) => (0, Some(halt)),
        }
    }

    fn recall_into(
        &mut self,
        flat: &mut Flat,
        version: u32,
        records: &[u32],
        source: Found,
        depth: u64,
    ) -> Result<(usize, Option<Halt>), Halt> {
        let (worker, coverage) = (&mut self.worker, &mut self.record.coverage);
        let from = (version, records);
        let states = self.store.recall(self.system, worker, from, BATCH_TARGETS, flat, coverage)?;
        if states == 0 {
            return Ok((0, None));
        }
        // What is stored has to be noted, so there has to be room for it before. Each state needs a
        // byte in the log besides those of its new steps.
        let ledger = self.record.shared.ledger;
        if self.out.count as usize + flat.targets.len() > SEGMENT as usize {
            self.close();
        }
        if !self.log.reserve(flat.targets.len() + 2 * states, ledger)
            || !self.make_room(2 * flat.targets.len())
        {
            return Err(Full::Memory.into());
        }
        let mut halt = self.store.insert_flat(flat, 0, flat.targets.len()).err().map(Halt::from);
        if !flat.new.is_empty() {
            self.record.depth = depth + 1;
        }
        let plain = self.is_ready();
        if plain && halt.is_none() {
            self.log.expand_all(source, &flat.ends, &flat.new);
            for &new in &flat.new {
                let key = flat.targets[new as usize].key;
                self.out.records.extend_from_slice(&[key as u32, (key >> 32) as u32]);
            }
            self.out.count += flat.new.len() as u32;
            self.record.transitions += flat.targets.len() as u64;
            self.record.expanded += states as u64;
            return Ok((states, None));
        }
        // What was stored is noted, whether all of it could be or not.
        let mut expanded = 0;
        let (mut start, mut next) = (0, 0);
        for (index, &end) in flat.ends.iter().enumerate() {
            if start as usize >= flat.done && halt.is_some() && next == flat.new.len() {
                break;
            }
            let number = source.number + index as u64;
            self.log.expand(Some(Found { number, ..source }));
            while let Some(&new) = flat.new.get(next).filter(|&&new| new < end) {
                let key = flat.targets[new as usize].key;
                if plain {
                    self.log.child(new - start);
                    self.out.records.extend_from_slice(&[key as u32, (key >> 32) as u32]);
                    self.out.count += 1;
                } else if let Err(why) =
                    self.found(Name { key, place: 0, epoch: 0 }, &[], new - start, depth + 1)
                {
                    halt.get_or_insert(why);
                    self.frontier.torn.store(true, Ordering::Relaxed);
                }
                next += 1;
            }
            self.log.expanded();
            // The steps of a state that is to be expanded again count then.
            if flat.done >= end as usize {
                self.record.transitions += u64::from(end - start);
                expanded += 1;
            }
            start = end;
        }
        self.record.expanded += expanded as u64;
        Ok((expanded, halt))
    }

    /// Whether new states can be noted by their keys alone. Then the segment that is being filled is
    /// begun.
    fn is_ready(&mut self) -> bool {
        let version = self.store.version();
        let out = &mut self.out;
        if out.count == 0 {
            out.version = version;
            out.first = Some(Found { thread: self.number, number: self.log.found() });
        }
        let options = &self.record.shared.options;
        let invariants = options.check_invariants && self.system.invariant_count() > 0;
        out.version == version && !invariants
    }

    /// Generates and names the steps of the states in `records` until there are enough for a batch.
    fn generate(
        &mut self,
        segment: &Segment,
        records: &mut &[u32],
        batch: &mut Vec<Expansion>,
        most: usize,
    ) -> (usize, Option<Halt>) {
        let mut count = 0;
        let mut targets = 0;
        while !records.is_empty() && targets < BATCH_TARGETS && count < most {
            if count == batch.len() {
                batch.push(Expansion::default());
            }
            batch[count].record = segment.records.len() - records.len();
            let words = self.store.open(segment.version, records);
            if let Err(halt) = self.expansion(&mut batch[count], 0) {
                return (count, Some(halt));
            }
            *records = &records[words..];
            targets += batch[count].steps.len();
            count += 1;
        }
        (count, None)
    }

    /// Generates and names the steps of the open state.
    fn expansion(&mut self, expansion: &mut Expansion, attempt: u32) -> Result<(), Halt> {
        let Expansion { steps, names, deadlock, all, .. } = expansion;
        steps.clear();
        names.clear();
        *deadlock = None;
        let Shared { options, parts, .. } = self.record.shared;
        let state = self.store.state();
        *all = match options.reduction {
            None => {
                let worker = &mut self.worker;
                self.divider.steps(self.system, worker, parts.as_ref(), state, steps)?;
                true
            }
            Some(_) => self.system.reduced(&mut self.worker, state, attempt, steps)? == Extent::All,
        };
        if steps.may_end()
            && options.check_deadlock
            && steps.incomplete.is_none()
            && self.system.end(&mut self.worker, state) == End::Deadlock
        {
            *deadlock = Some(options.deadlock(state));
        }
        self.store.name_all(steps, names)?;
        Ok(())
    }

    /// Looks up the targets of one state.
    fn expand(
        &mut self,
        segment: &Segment,
        expansion: &mut Expansion,
        source: Found,
        depth: u64,
    ) -> Result<(), Halt> {
        let mark = self.record.mark();
        let result = self.expand_once(segment, expansion, source, depth);
        if result.is_err() && !self.record.take_back(mark) {
            self.frontier.torn.store(true, Ordering::Relaxed);
        }
        result
    }

    #[inline]
    fn expand_once(
        &mut self,
        segment: &Segment,
        expansion: &mut Expansion,
        source: Found,
        depth: u64,
    ) -> Result<(), Halt> {
        self.record.note_left_out(&expansion.steps);
        if let Some(kind) = expansion.deadlock {
            let states = self.store.stored();
            let site = || Site::State(source);
            self.record.violation(kind, depth, self.all, states, site)?;
        }
        if !self.log.reserve(expansion.steps.len(), self.record.shared.ledger) {
            return Err(Full::Memory.into());
        }
        self.log.expand(Some(source));
        let cut = self.record.at_depth_limit(depth) && self.leads_on(segment, expansion)?;
        let result = if cut {
            self.record.depth_limit_hit = true;
            Ok(())
        } else {
            self.attempts(segment, expansion, source, depth)
        };
        self.log.expanded();
        result?;
        self.record.expanded += u64::from(!cut);
        Ok(())
    }

    /// Takes the steps of a state; more of them, if those were not enough.
    #[inline]
    fn attempts(
        &mut self,
        segment: &Segment,
        expansion: &mut Expansion,
        source: Found,
        depth: u64,
    ) -> Result<(), Halt> {
        let reach = self.take(expansion, source, 0, depth)?;
        match self.record.shared.options.reduction {
            Some(proviso) if !expansion.all && !proviso.holds(reach) => {
                self.more_attempts(segment, expansion, source, depth, proviso)
            }
            _ => Ok(()),
        }
    }

    fn more_attempts(
        &mut self,
        segment: &Segment,
        expansion: &mut Expansion,
        source: Found,
        depth: u64,
        proviso: Proviso,
    ) -> Result<(), Halt> {
        let mut before = 0;
        for attempt in 1.. {
            before += expansion.steps.len() as u32;
            let noted = expansion.steps.incomplete.is_some();
            self.store.open(segment.version, &segment.records[expansion.record..]);
            self.expansion(expansion, attempt)?;
            if !noted {
                self.record.note_left_out(&expansion.steps);
            }
            if !self.log.reserve(expansion.steps.len(), self.record.shared.ledger) {
                return Err(Full::Memory.into());
            }
            let reach = self.take(expansion, source, before, depth)?;
            if expansion.all || proviso.holds(reach) {
                break;
            }
        }
        Ok(())
    }

    fn take(
        &mut self,
        expansion: &mut Expansion,
        source: Found,
        before: u32,
        depth: u64,
    ) -> Result<Reach, Halt> {
        let Expansion { steps, names, .. } = expansion;
        let mut reach = Reach::NONE;
        let mut seen = std::mem::take(&mut self.seen);
        seen.clear();
        let stored = self.store.insert_all(steps, names, &mut seen);
        let result = self.note(steps, names, &seen, source, before, depth, &mut reach);
        if result.is_err() {
            // States may be stored that nobody has noted.
            self.frontier.torn.store(true, Ordering::Relaxed);
        }
        self.seen = seen;
        stored?;
        result.map(|()| reach)
    }

    /// Notes what became of the steps of a state.
    #[expect(clippy::too_many_arguments)]
    #[inline]
    fn note(
        &mut self,
        steps: &Successors,
        names: &[Name],
        seen: &[Seen],
        source: Found,
        before: u32,
        depth: u64,
        reach: &mut Reach,
    ) -> Result<(), Halt> {
        for (ordinal, ((step, name), &seen)) in
            steps.steps().iter().zip(names).zip(seen).enumerate()
        {
            let ordinal = before + ordinal as u32;
            self.record.coverage.insert(steps.actions(step));
            if let Some(fault) = step.fault {
                let states = self.store.stored();
                let site = || Site::Step(source, ordinal);
                self.record.violation(Kind::Fault(fault), depth + 1, self.all, states, site)?;
                if step.fatal {
                    continue;
                }
            }
            self.record.transitions += 1;
            reach.add(seen == Seen::New, seen.queued());
            if seen == Seen::New {
                self.found(*name, steps.target(step), ordinal, depth + 1)?;
            }
        }
        Ok(())
    }

    /// Whether a state at the depth limit has a step to something unknown.
    fn leads_on(&mut self, segment: &Segment, expansion: &mut Expansion) -> Result<bool, Halt> {
        if !expansion.all {
            // All steps count here: what was left out may have to be taken.
            self.store.open(segment.version, &segment.records[expansion.record..]);
            expansion.steps.clear();
            expansion.names.clear();
            let Expansion { steps, names, .. } = expansion;
            self.system.successors(&mut self.worker, self.store.state(), steps)?;
            self.store.name_all(steps, names)?;
            expansion.all = true;
        }
        let steps = &expansion.steps;
        for step in steps.steps() {
            if step.fault.is_some() || !self.store.contains(steps.target(step))? {
                return Ok(true);
            }
        }
        Ok(false)
    }
}
