//! From vectors to memory and back. A vector is
//! `[end, output, input, clock, bound, counts | thread, its objects... | mark | statics | (object of the base, content)... | objects]`,
//! each component the number of its content; the highest bit tells threads from their objects, and the mark, whose lowest bit
//! tells whether there ever were several threads. The objects
//! of a thread are those that only it can reach. Objects are numbered in the order in which they are
//! reached; what is not reached is garbage and is gone. If they are numbered by where they were made, their births
//! follow behind everything.

use std::ops::Range;

use super::reach::{EVERYBODY, Reached};
use super::shapes::{Owner, Shapes};
use super::threads::header;
use super::{Run, Trap, Worker};
use crate::code::Point;
use crate::heap::{
    AREA_SHIFT, BASE, CLASS, ELEMENTS, MOST_OBJECTS, NEW_AREA, Place, SHARED_AREA, area_of,
    reference,
};

/// Words before the threads.
pub(crate) const PREFIX: usize = 6;
/// Which of them tells the threads whose frames decide what is shared, and which the numbers of all parts.
pub(super) const BOUND: usize = 4;
const COUNTS: usize = PREFIX - 1;
/// Marks threads among their objects.
pub(crate) const THREAD: u32 = 1 << 31;

/// The parts of a vector.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Vector {
    pub threads: usize,
    pub statics: usize,
    pub deviations: usize,
}

impl Vector {
    pub fn of(state: &[u32]) -> Vector {
        let counts = state[COUNTS];
        Vector {
            threads: (counts >> 24) as usize,
            statics: (counts >> 12 & 0xfff) as usize,
            deviations: (counts & 0xfff) as usize,
        }
    }

    pub(super) fn pack(self) -> Option<u32> {
        let fits = self.threads < 0x100 && self.statics < 0x1000 && self.deviations < 0x1000;
        fits.then_some((self.threads << 24 | self.statics << 12 | self.deviations) as u32)
    }

    /// The thread that begins at a word, and where its objects end.
    pub(super) fn thread(state: &[u32], at: usize) -> (u32, usize) {
        let objects = state[at + 1..].iter().take_while(|&&word| word & THREAD == 0).count();
        (state[at] & !THREAD, at + 1 + objects)
    }
}

/// The ends of the threads of a state with their objects. Behind them stands a mark.
pub(crate) fn thread_ends(state: &[u32]) -> impl Iterator<Item = usize> + '_ {
    let mut at = PREFIX;
    (0..Vector::of(state).threads).map(move |_| {
        at = Vector::thread(state, at).1;
        at
    })
}

/// The state that was taken up.
#[derive(Default)]
pub(crate) struct Origin {
    pub state: Vec<u32>,
    /// The words of each thread with its objects.
    pub threads: Vec<Range<usize>>,
    /// Nothing else was done to memory than what its journal says.
    pub valid: bool,
    /// How old the base was.
    pub age: u64,
}

/// Memory for numbering objects.
#[derive(Default)]
pub(crate) struct Roots {
    /// The new reference to each object.
    pub(super) numbers: Vec<u32>,
    reached: Reached,
    pub(super) shapes: Shapes,
    /// Objects of the thread that moved, in the order in which they are reached.
    pub(super) order: Vec<u32>,
    /// The objects of each area.
    areas: Vec<Vec<u32>>,
    pub(super) content: Vec<u32>,
    pub(super) slots: Vec<u32>,
    /// Where the content of the thread that was stored last has references.
    pub(super) stored: Vec<u32>,
    /// Shared objects that the object of the thread that moved leads to.
    pub(super) shared: Vec<u32>,
    /// Where and as which one each object was made.
    births: Vec<u32>,
    known: Vec<u32>,
    deviations: Vec<u32>,
    /// Only objects of the thread that moved, and new ones, were numbered: all others are what they were.
    pub(super) own_only: bool,
}

impl Worker {
    /// Takes up a state.
    pub fn load(&mut self, state: &[u32]) {
        let same = self.origin.valid && self.origin.age == self.vm.base.age();
        if same && self.origin.state == state {
            self.heap.undo();
            self.forget_transition();
            let threads = self.origin.threads.iter();
            self.threads.extend(threads.map(|words| Place(state[words.start] & !THREAD)));
        } else {
            self.load_whole(state);
        }
        self.exit = (state[0] & 1 != 0).then_some((state[0] >> 2) as i32);
        self.main_failed = state[0] & 2 != 0;
        self.printed = state[1];
        self.read = state[2];
        self.clock = state[3];
        self.alone = self.threads.iter().filter(|place| !place.is_none()).count() <= 1;
        let mark = self.origin.threads.last().map_or(PREFIX, |words| words.end);
        self.watches = state[mark] & !THREAD != 0;
        self.stop_at = usize::MAX;
    }

    fn load_whole(&mut self, state: &[u32]) {
        self.clear();
        let parts = Vector::of(state);
        let mut at = PREFIX;
        self.origin.threads.clear();
        for thread in 0..parts.threads {
            let (number, end) = Vector::thread(state, at);
            self.threads.push(Place(number));
            self.origin.threads.push(at..end);
            self.heap.add_area(area_of(thread), &state[at + 1..end]);
            at = end;
        }
        // The mark behind the last thread.
        at += 1;
        for &number in &state[at..at + parts.statics] {
            let class = self.vm.dictionary.word(number, 0);
            self.heap.set_statics(class, Place(number));
        }
        at += parts.statics;
        // The base may have become what the state had instead of it: then the state is written otherwise now.
        let mut valid = true;
        for pair in state[at..at + 2 * parts.deviations].chunks_exact(2) {
            self.heap.set_place(pair[0] | BASE, Place(pair[1]));
            valid &= self.vm.base.object(pair[0]) != pair[1];
        }
        at += 2 * parts.deviations;
        // Births are those of all objects, in this order.
        let shared = match self.heap.by_sites {
            true => at + (state.len() - at - self.heap.objects.len()) / 2,
            false => state.len(),
        };
        self.heap.add_area(SHARED_AREA, &state[at..shared]);
        self.heap.births.extend_from_slice(&state[shared..]);
        self.heap.begin_new();
        self.origin.state.clear();
        self.origin.state.extend_from_slice(state);
        self.origin.valid = valid;
        self.origin.age = self.vm.base.age();
    }

    /// Puts the frames of the current thread back into its content.
    pub fn store_frames(&mut self) -> Run<()> {
        if self.threads[self.current].is_none() {
            return Ok(());
        }
        let mut content = std::mem::take(&mut self.roots.content);
        content.clear();
        self.heap.read(&self.vm.dictionary, self.threads[self.current], &mut content);
        content.truncate(header::WORDS as usize);
        let mut slots = std::mem::take(&mut self.roots.stored);
        slots.clear();
        slots.extend([header::OBJECT, header::TARGET]);
        for frame in self.frames.iter().chain(std::iter::once(&self.top)) {
            let depth = frame.sp - frame.locals - usize::from(frame.code.max_locals);
            let flow = frame.method.flow(frame.code);
            let point = match flow.map(|flow| flow.at(frame.pc)) {
                Ok(Some(point)) => point,
                Ok(None) => {
                    let text = format!("{}: code that cannot be reached", frame.method.full_name());
                    return Err(Trap::Fail(super::Failure::Broken(text)));
                }
                Err(text) => return Err(Trap::Fail(super::Failure::Broken(text.to_owned()))),
            };
            content.push(frame.method.id);
            content.push(frame.pc << 16 | depth as u32);
            references_of(point, content.len(), frame.sp - frame.locals, &mut slots);
            for (words, index) in self.stack[frame.locals..frame.sp].chunks(64).zip(0..) {
                let live = point.live.get(index).copied().unwrap_or(0);
                content.extend(
                    words.iter().enumerate().map(|(bit, word)| word * (live >> bit & 1) as u32),
                );
            }
        }
        self.threads[self.current] = self.heap.new_content(&content);
        self.roots.content = content;
        self.roots.stored = slots;
        Ok(())
    }

    /// Where the content of a thread has references.
    pub(super) fn thread_slots(&self, content: &[u32], slots: &mut Vec<u32>) {
        slots.clear();
        if content.is_empty() {
            return;
        }
        slots.push(header::OBJECT);
        slots.push(header::TARGET);
        let mut at = header::WORDS as usize;
        while at < content.len() {
            let method = self.vm.registry.method_of(content[at]);
            let (pc, depth) = (content[at + 1] >> 16, content[at + 1] & 0xffff);
            let Ok(code) = method.code() else { return };
            let used = usize::from(code.max_locals) + depth as usize;
            if let Ok(flow) = method.flow(code)
                && let Some(point) = flow.at(pc)
            {
                references_of(point, at + 2, used, slots);
            }
            at += 2 + used;
        }
    }

    /// Where a content has references.
    pub(super) fn slots(&self, owner: Owner, content: &[u32], slots: &mut Vec<u32>) {
        match owner {
            Owner::Object => self.object_slots(content, slots),
            Owner::Thread => self.thread_slots(content, slots),
            Owner::Statics => {
                let class = self.vm.registry.class_of(content[CLASS as usize]);
                slots.clear();
                slots.extend_from_slice(&class.linked().static_references);
            }
        }
    }

    /// Where the content of an object has references.
    pub(super) fn object_slots(&self, content: &[u32], slots: &mut Vec<u32>) {
        slots.clear();
        let class = self.vm.registry.class_of(content[CLASS as usize]);
        if class.has_reference_elements() {
            slots.extend(ELEMENTS..content.len() as u32);
        } else {
            slots.extend_from_slice(&class.linked().references);
        }
    }

    /// Writes the state as a vector, from nothing. The frames of the current thread are in its content.
    pub fn save_whole(&mut self, out: &mut Vec<u32>) -> Run<()> {
        let mut roots = std::mem::take(&mut self.roots);
        let result = self.save_with(&mut roots, out);
        roots.own_only = false;
        self.roots = roots;
        result
    }

    fn save_with(&mut self, roots: &mut Roots, out: &mut Vec<u32>) -> Run<()> {
        let Roots {
            numbers,
            reached,
            shapes,
            content,
            slots,
            known,
            deviations,
            areas,
            births,
            ..
        } = roots;
        known.clone_from(&self.heap.known);
        known.sort_unstable();
        deviations.clone_from(&self.heap.deviations);
        deviations.sort_unstable();
        shapes.tidy();
        self.reach(reached, shapes, known, deviations)?;
        let threads = self.threads.iter().rposition(|place| !place.is_none()).map_or(0, |i| i + 1);
        births.clear();
        if self.heap.by_sites {
            self.count_births(&reached.order, births)?;
        }
        let moved = self.renumber(numbers, reached, areas, births, threads)?;
        if !self.heap.all_shared {
            self.note_published(&reached.order, numbers);
        }
        let parts = Vector { threads, statics: known.len(), deviations: deviations.len() };
        let Some(counts) = parts.pack() else {
            let text = "a state has too many classes".to_owned();
            return Err(Trap::Fail(super::Failure::Limit(text)));
        };
        out.clear();
        let end = match self.exit {
            Some(code) => (code as u32) << 2 | 1,
            None => 0,
        };
        let failed = u32::from(self.main_failed) << 1;
        let Worker { printed, read, clock, .. } = *self;
        out.extend([end | failed, printed, read, clock, reached.bound, counts]);
        let mut number_of = |shapes: &mut Shapes, owner: Owner, place: Place| match place.number() {
            Some(number) if !moved => Ok(number),
            _ => self.renumbered(owner, place, shapes, content, slots, numbers),
        };
        for index in 0..threads {
            let place = self.threads[index];
            let number = match place.is_none() {
                true => 0,
                false => number_of(shapes, Owner::Thread, place)?,
            };
            out.push(number | THREAD);
            for (at, &dense) in areas[area_of(index)].iter().enumerate() {
                self.poll_at(at)?;
                let place = self.heap.objects[dense as usize];
                out.push(number_of(shapes, Owner::Object, place)?);
            }
        }
        out.push(THREAD | u32::from(self.watches));
        for &class in known.iter() {
            let place = self.heap.statics(&self.vm.base, class);
            out.push(number_of(shapes, Owner::Statics, place)?);
        }
        let mut kept = 0;
        for &index in deviations.iter() {
            let place = self.heap.place(&self.vm.base, index | BASE);
            let number = number_of(shapes, Owner::Object, place)?;
            // An object that is what it was is no deviation.
            if number != self.vm.base.object(index) {
                out.extend([index, number]);
                kept += 1;
            }
        }
        if kept != deviations.len() {
            let parts = Vector { deviations: kept, ..parts };
            out[COUNTS] = parts.pack().unwrap_or(counts);
        }
        for (at, &dense) in areas[SHARED_AREA].iter().enumerate() {
            self.poll_at(at)?;
            let place = self.heap.objects[dense as usize];
            out.push(number_of(shapes, Owner::Object, place)?);
        }
        if self.heap.by_sites {
            let own = areas.iter().skip(SHARED_AREA + 1);
            let objects = own.chain([&areas[SHARED_AREA]]).flatten();
            out.extend(objects.map(|&dense| births[dense as usize]));
        }
        Ok(())
    }

    /// Puts the objects that were reached into their areas; whether some reference is another one now.
    fn renumber(
        &self,
        numbers: &mut Vec<u32>,
        reached: &Reached,
        areas: &mut Vec<Vec<u32>>,
        births: &[u32],
        threads: usize,
    ) -> Run<bool> {
        let Reached { owners, order, .. } = reached;
        numbers.clear();
        numbers.resize(self.heap.objects.len(), 0);
        areas.resize_with(areas.len().max(area_of(threads)), Vec::new);
        areas.iter_mut().for_each(Vec::clear);
        for &dense in order {
            let area = match owners[dense as usize] {
                EVERYBODY => SHARED_AREA,
                thread => area_of(usize::from(thread)),
            };
            areas[area].push(dense);
            numbers[dense as usize] = reference(area, areas[area].len() as u32);
        }
        if self.heap.by_sites {
            for (area, objects) in areas.iter_mut().enumerate() {
                objects.sort_unstable_by_key(|&dense| births[dense as usize]);
                for (number, &dense) in (1..).zip(&objects[..]) {
                    numbers[dense as usize] = reference(area, number);
                }
            }
        }
        if order.len() > MOST_OBJECTS {
            let text = "a state has too many objects".to_owned();
            return Err(Trap::Fail(super::Failure::Limit(text)));
        }
        let references = &self.heap.references;
        Ok(order.iter().any(|&dense| numbers[dense as usize] != references[dense as usize]))
    }

    /// Marks what others could reach when the state was taken up, or in between, and only one thread can reach now.
    fn note_published(&mut self, order: &[u32], numbers: &[u32]) {
        for &dense in order {
            let dense = dense as usize;
            let shared = numbers[dense] >> AREA_SHIFT == SHARED_AREA as u32;
            if shared || self.heap.shared[dense] {
                self.heap.set_published(&self.vm.dictionary, dense, !shared);
            }
        }
    }

    /// The number of a content with the new numbers of objects in it; most contents stay what they were.
    fn renumbered(
        &self,
        owner: Owner,
        place: Place,
        shapes: &mut Shapes,
        content: &mut Vec<u32>,
        slots: &mut Vec<u32>,
        numbers: &[u32],
    ) -> Run<u32> {
        if let Some(known) = place.number()
            && let Some(number) = shapes.renamed(self, owner, known, numbers)
        {
            return Ok(number);
        }
        content.clear();
        self.heap.read(&self.vm.dictionary, place, content);
        self.slots(owner, content, slots);
        for &slot in &slots[..] {
            let reference = &mut content[slot as usize];
            if *reference != 0 && *reference & BASE == 0 {
                *reference = numbers[self.heap.dense(*reference)];
            }
        }
        let number = self.vm.dictionary.intern(content)?;
        if place.number().is_some() {
            shapes.remember(number);
        }
        Ok(number)
    }

    /// The number that an object has in the vector that was written last.
    pub fn number_in_vector(&self, object: u32) -> Option<u32> {
        let area = (object >> AREA_SHIFT) as usize;
        if self.roots.own_only && area != area_of(self.current) && area != NEW_AREA {
            return Some(object);
        }
        let number = self.roots.numbers.get(self.heap.dense(object)).copied();
        number.filter(|&number| number != 0)
    }
}

/// Adds which words of a frame that begins at a place of a content are references.
fn references_of(point: &Point, start: usize, used: usize, slots: &mut Vec<u32>) {
    for (index, &set) in point.references.iter().enumerate() {
        let mut set = set;
        while set != 0 {
            let slot = 64 * index + set.trailing_zeros() as usize;
            set &= set - 1;
            if slot < used {
                slots.push((start + slot) as u32);
            }
        }
    }
}
