//! Points: states with the numbers that threads and objects have in a run. An object gets its number when more than
//! one thread can reach it, and keeps it even if only one can later on.

use crate::heap::{AREA_SHIFT, BASE, MOST_OBJECTS, SHARED_AREA};
use crate::vm::{PREFIX, THREAD, Thing, Vector, Worker, thread_ends};

/// Words before the threads: how long the state is, how many threads there are, the next numbers.
const HEAD: usize = 4;

/// A point, taken apart.
pub(crate) struct Point<'a> {
    pub state: &'a [u32],
    /// The number of the thread in each place.
    pub threads: &'a [u32],
    /// The numbers of objects in the order in which a worker has them; 0 for those without.
    pub identities: &'a [u32],
    /// The numbers that the next thread and the next object get.
    next: (u32, u32),
}

impl<'a> Point<'a> {
    pub fn of(words: &'a [u32]) -> Point<'a> {
        let (length, threads) = (words[0] as usize, words[1] as usize);
        let (threads, rest) = words[HEAD..].split_at(threads);
        let (state, identities) = rest.split_at(length);
        Point { state, threads, identities, next: (words[2], words[3]) }
    }

    pub fn write(
        out: &mut Vec<u32>,
        state: &[u32],
        threads: &[u32],
        next: (u32, u32),
        identities: &[u32],
    ) {
        out.clear();
        out.extend([state.len() as u32, threads.len() as u32, next.0, next.1]);
        out.extend_from_slice(threads);
        out.extend_from_slice(state);
        out.extend_from_slice(identities);
    }

    /// The place of a thread. A place that is free has the number of who was there last. There is none if the run to
    /// this point went another way before: what initialisers of the library made since then belongs to all states.
    pub fn slot_of(&self, thread: u32) -> Option<usize> {
        self.threads.iter().position(|&known| known == thread)
    }

    /// The number of the content of a thread.
    pub fn content(&self, slot: usize) -> Option<u32> {
        let mut starts = std::iter::once(PREFIX).chain(thread_ends(self.state));
        let word = self.state[starts.nth(slot)?] & !THREAD;
        (word != 0).then_some(word)
    }
}

/// The numbers of threads and objects behind a step.
#[derive(Default)]
pub(crate) struct Naming {
    threads: Vec<u32>,
    identities: Vec<u32>,
    /// Where the objects of each area begin.
    starts: Vec<usize>,
    /// There is a state behind the step.
    follows: bool,
}

impl Naming {
    /// There is no state behind the step.
    pub fn keep(&mut self, point: &Point<'_>) {
        self.follows = false;
        self.threads.clear();
        self.threads.extend_from_slice(point.threads);
    }

    /// Finds the numbers in the state that a worker has just written, and makes a point of it.
    pub fn follow(
        &mut self,
        worker: &Worker,
        point: &Point<'_>,
        state: &[u32],
        out: &mut Vec<u32>,
    ) {
        let Naming { threads, identities, starts, follows } = self;
        *follows = true;
        let mut next = point.next;
        threads.clear();
        threads.extend_from_slice(point.threads);
        let things = worker.touched.as_ref().map_or(&[][..], |touched| &touched.things);
        for (thing, access) in things {
            if let Thing::Started(slot) = *thing
                && *access == everypath_model::Access::Write
            {
                if threads.len() <= slot {
                    threads.resize(slot + 1, u32::MAX);
                }
                threads[slot] = next.0;
                next.0 += 1;
            }
        }
        // Objects of the state: those of each thread, then those of several.
        let parts = Vector::of(state);
        starts.clear();
        let (mut at, mut count) = (PREFIX, 0);
        for end in thread_ends(state) {
            starts.push(count);
            count += end - at - 1;
            at = end;
        }
        let shared = at + 1 + parts.statics + 2 * parts.deviations;
        let rest = state.len() - shared;
        let of_several = match worker.heap.by_sites {
            true => (rest - count) / 2,
            false => rest,
        };
        identities.clear();
        identities.resize(count + of_several, 0);
        for (dense, &reference) in worker.heap.references.iter().enumerate() {
            let known = point.identities.get(dense).copied().unwrap_or(0);
            if known != 0
                && let Some(now) = worker.number_in_vector(reference)
            {
                identities[place(starts, count, now)] = known;
            }
        }
        for identity in identities[count..].iter_mut().filter(|identity| **identity == 0) {
            *identity = next.1;
            next.1 += 1;
        }
        starts.push(count);
        // The state has no places behind the last thread.
        let left = parts.threads.min(threads.len());
        Point::write(out, state, &threads[..left], next, identities);
    }

    /// The number of something that was touched; nothing if no other thread can know it.
    pub fn resource(&self, worker: &Worker, point: &Point<'_>, thing: Thing) -> Option<u64> {
        let key = |kind: u64, of: u64, part: u32| kind << 60 | of << 26 | u64::from(part);
        let object = |reference: u32| -> Option<u64> {
            if reference & BASE != 0 {
                return Some(1 << 33 | u64::from(reference & !BASE));
            }
            let before = point.identities.get(worker.heap.dense(reference)).copied();
            if let Some(known) = before.filter(|&identity| identity != 0) {
                return Some(u64::from(known));
            }
            if !self.follows {
                return None;
            }
            let count = *self.starts.last()?;
            let now = worker.number_in_vector(reference)?;
            let identity = self.identities[place(&self.starts, count, now)];
            (identity != 0).then_some(u64::from(identity))
        };
        let thread = |slot: usize| self.threads.get(slot).map(|&thread| u64::from(thread));
        Some(match thing {
            Thing::World => 0,
            Thing::Slot(reference, slot) => key(1, object(reference)?, slot),
            Thing::Static(class, slot) => key(2, u64::from(class), slot),
            Thing::Class(class) => key(3, u64::from(class), 0),
            Thing::Monitor(reference) => key(4, object(reference)?, 0),
            Thing::Waiters(reference) => key(5, object(reference)?, 0),
            Thing::Permit(slot) => key(6, thread(slot)?, 0),
            Thing::Started(slot) => key(7, thread(slot)?, 0),
            Thing::Ends => key(8, 0, 0),
            Thing::Output => key(9, 0, 0),
            Thing::Clock => key(10, 0, 0),
        })
    }
}

/// Where an object of a state is among all.
fn place(starts: &[usize], own: usize, reference: u32) -> usize {
    let number = (reference & MOST_OBJECTS as u32) as usize;
    match (reference >> AREA_SHIFT) as usize {
        SHARED_AREA => own + number - 1,
        area => starts[area - 1] + number - 1,
    }
}
