//! From vectors to memory and back. A vector is
//! `[end, output, input, counts | thread, its objects... | statics | (object of the base, content)... | objects]`,
//! each component the number of its content; the highest bit tells threads from their objects. The objects
//! of a thread are those that only it can reach. Objects are numbered in the order in which they are
//! reached, statics first, then thread by thread; what is not reached is garbage and is gone.

use rustc_hash::FxHashMap;

use super::threads::header;
use super::{Run, Trap, Worker};
use crate::heap::{
    BASE, CLASS, ELEMENTS, Heap, LENGTH, MOST_OBJECTS, Place, SHARED_AREA, area_of, reference,
};

/// Words before the threads.
pub(crate) const PREFIX: usize = 4;
/// Contents of threads whose references are remembered, at most.
const MOST_SEEN: usize = 1 << 16;
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
        let counts = state[3];
        Vector {
            threads: (counts >> 24) as usize,
            statics: (counts >> 12 & 0xfff) as usize,
            deviations: (counts & 0xfff) as usize,
        }
    }

    fn pack(self) -> Option<u32> {
        let fits = self.threads < 0x100 && self.statics < 0x1000 && self.deviations < 0x1000;
        fits.then_some((self.threads << 24 | self.statics << 12 | self.deviations) as u32)
    }

    /// The thread that begins at a word, and where its objects end.
    fn thread(state: &[u32], at: usize) -> (u32, usize) {
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

/// What a thread that was not seen is known by.
const NOBODY: u16 = u16::MAX;
const EVERYBODY: u16 = u16::MAX - 1;

/// Memory for numbering objects.
#[derive(Default)]
pub(crate) struct Roots {
    /// The new reference to each object.
    numbers: Vec<u32>,
    /// Which thread reaches each object.
    owners: Vec<u16>,
    /// Objects in the order in which they are reached.
    order: Vec<u32>,
    /// The objects of each area.
    areas: Vec<Vec<u32>>,
    /// Objects that a thread reaches and others as well.
    meets: Vec<u32>,
    /// What contents of threads refer to.
    seen: FxHashMap<u32, Box<[u32]>>,
    content: Vec<u32>,
    slots: Vec<u32>,
    known: Vec<u32>,
    deviations: Vec<u32>,
}

impl Worker {
    /// Takes up a state.
    pub fn load(&mut self, state: &[u32]) {
        self.clear();
        let parts = Vector::of(state);
        self.exit = (state[0] & 1 != 0).then_some((state[0] >> 2) as i32);
        self.main_failed = state[0] & 2 != 0;
        self.printed = state[1];
        self.read = state[2];
        let mut at = PREFIX;
        for thread in 0..parts.threads {
            let (number, end) = Vector::thread(state, at);
            self.threads.push(Place(number));
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
        for pair in state[at..at + 2 * parts.deviations].chunks_exact(2) {
            self.heap.set_place(pair[0] | BASE, Place(pair[1]));
        }
        at += 2 * parts.deviations;
        self.heap.add_area(SHARED_AREA, &state[at..]);
        self.heap.begin_new();
        self.alone = self.threads.iter().filter(|place| !place.is_none()).count() <= 1;
        self.stop_at = usize::MAX;
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
            for (index, &word) in self.stack[frame.locals..frame.sp].iter().enumerate() {
                let live = point.live.get(index / 64).is_some_and(|w| w >> (index % 64) & 1 == 1);
                content.push(if live { word } else { 0 });
            }
        }
        self.threads[self.current] = self.heap.new_content(&content);
        self.roots.content = content;
        Ok(())
    }

    /// Where the content of a thread has references.
    fn thread_slots(&self, content: &[u32], slots: &mut Vec<u32>) {
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
                for (index, &set) in point.references.iter().enumerate() {
                    let mut set = set;
                    while set != 0 {
                        let slot = 64 * index + set.trailing_zeros() as usize;
                        set &= set - 1;
                        if slot < used {
                            slots.push((at + 2 + slot) as u32);
                        }
                    }
                }
            }
            at += 2 + used;
        }
    }

    /// Where the content of an object has references.
    fn object_slots(&self, content: &[u32], slots: &mut Vec<u32>) {
        slots.clear();
        let class = self.vm.registry.class_of(content[CLASS as usize]);
        if class.has_reference_elements() {
            slots.extend(ELEMENTS..content.len() as u32);
        } else {
            slots.extend_from_slice(&class.linked().references);
        }
    }

    /// Writes the state as a vector. The frames of the current thread are in its content.
    pub fn save(&mut self, out: &mut Vec<u32>) -> Run<()> {
        let mut roots = std::mem::take(&mut self.roots);
        let result = self.save_with(&mut roots, out);
        self.roots = roots;
        result
    }

    fn save_with(&mut self, roots: &mut Roots, out: &mut Vec<u32>) -> Run<()> {
        let Roots { numbers, owners, order, content, slots, known, deviations, areas, meets, seen } =
            roots;
        owners.clear();
        owners.resize(self.heap.objects.len(), NOBODY);
        order.clear();
        known.clone_from(&self.heap.known);
        known.sort_unstable();
        deviations.clone_from(&self.heap.deviations);
        deviations.sort_unstable();
        let mut reach = Reach { heap: &self.heap, owners, order, done: 0 };
        for &class in known.iter() {
            let place = self.heap.statics(&self.vm.base, class);
            let slots = &self.vm.registry.class_of(class).linked().static_references;
            for &slot in slots.iter() {
                reach.root(self.heap.word(&self.vm.dictionary, place, slot), EVERYBODY);
            }
        }
        for &index in deviations.iter() {
            let place = self.heap.place(&self.vm.base, index | BASE);
            self.referred_to(place, content);
            content.iter().for_each(|&object| {
                reach.root(object, EVERYBODY);
            });
        }
        self.close(&mut reach, EVERYBODY, content);
        for (thread, &place) in self.threads.iter().enumerate() {
            if place.is_none() {
                continue;
            }
            meets.clear();
            let mut note = |object: u32, reach: &mut Reach<'_>| {
                if reach.root(object, thread as u16) {
                    meets.push(object);
                }
            };
            match place.number() {
                // A content never changes: neither does what it refers to.
                Some(number) => {
                    if seen.len() > MOST_SEEN {
                        seen.clear();
                    }
                    let references = seen.entry(number).or_insert_with(|| {
                        content.clear();
                        self.heap.read(&self.vm.dictionary, place, content);
                        self.thread_slots(content, slots);
                        slots.iter().map(|&slot| content[slot as usize]).collect()
                    });
                    references.iter().for_each(|&object| note(object, &mut reach));
                }
                None => {
                    content.clear();
                    self.heap.read(&self.vm.dictionary, place, content);
                    self.thread_slots(content, slots);
                    slots.iter().for_each(|&slot| note(content[slot as usize], &mut reach));
                }
            }
            self.close_thread(&mut reach, thread as u16, meets, content);
        }
        let threads = self.threads.iter().rposition(|place| !place.is_none()).map_or(0, |i| i + 1);
        let moved = self.renumber(numbers, owners, order, areas, threads)?;
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
        out.extend([end | u32::from(self.main_failed) << 1, self.printed, self.read, counts]);
        for index in 0..threads {
            let place = self.threads[index];
            let number = match place.number() {
                Some(number) if !moved || place.is_none() => number,
                _ => {
                    content.clear();
                    self.heap.read(&self.vm.dictionary, place, content);
                    self.thread_slots(content, slots);
                    self.renumbered(place, content, slots, numbers)?
                }
            };
            out.push(number | THREAD);
            for &dense in &areas[area_of(index)] {
                let number = self.object_number(dense, moved, content, slots, numbers)?;
                out.push(number);
            }
        }
        out.push(THREAD);
        for &class in known.iter() {
            let place = self.heap.statics(&self.vm.base, class);
            let number = match place.number() {
                Some(number) if !moved => number,
                _ => {
                    content.clear();
                    self.heap.read(&self.vm.dictionary, place, content);
                    let slots = &self.vm.registry.class_of(class).linked().static_references;
                    self.renumbered(place, content, slots, numbers)?
                }
            };
            out.push(number);
        }
        let mut kept = 0;
        for &index in deviations.iter() {
            let place = self.heap.place(&self.vm.base, index | BASE);
            let number = match place.number() {
                Some(number) if !moved => number,
                _ => {
                    content.clear();
                    self.heap.read(&self.vm.dictionary, place, content);
                    self.object_slots(content, slots);
                    self.renumbered(place, content, slots, numbers)?
                }
            };
            // An object that is what it was is no deviation.
            if number != self.vm.base.object(index) {
                out.extend([index, number]);
                kept += 1;
            }
        }
        if kept != deviations.len() {
            let parts = Vector { deviations: kept, ..parts };
            out[3] = parts.pack().unwrap_or(counts);
        }
        for &dense in &areas[SHARED_AREA] {
            let number = self.object_number(dense, moved, content, slots, numbers)?;
            out.push(number);
        }
        Ok(())
    }

    /// Puts the objects that were reached into their areas; whether some reference is another one now.
    fn renumber(
        &self,
        numbers: &mut Vec<u32>,
        owners: &[u16],
        order: &[u32],
        areas: &mut Vec<Vec<u32>>,
        threads: usize,
    ) -> Run<bool> {
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
        if order.len() > MOST_OBJECTS {
            let text = "a state has too many objects".to_owned();
            return Err(Trap::Fail(super::Failure::Limit(text)));
        }
        let references = &self.heap.references;
        Ok(order.iter().any(|&dense| numbers[dense as usize] != references[dense as usize]))
    }

    /// The number of the content of an object.
    fn object_number(
        &self,
        dense: u32,
        moved: bool,
        content: &mut Vec<u32>,
        slots: &mut Vec<u32>,
        numbers: &[u32],
    ) -> Run<u32> {
        let place = self.heap.objects[dense as usize];
        match place.number() {
            Some(number) if !moved => Ok(number),
            _ => {
                content.clear();
                self.heap.read(&self.vm.dictionary, place, content);
                self.object_slots(content, slots);
                self.renumbered(place, content, slots, numbers)
            }
        }
    }

    /// The number of a content with the new numbers of objects in it; most contents stay what they were.
    fn renumbered(
        &self,
        place: Place,
        content: &mut [u32],
        slots: &[u32],
        numbers: &[u32],
    ) -> Run<u32> {
        let mut changed = false;
        for &slot in slots {
            let reference = &mut content[slot as usize];
            if *reference != 0 && *reference & BASE == 0 {
                let number = numbers[self.heap.dense(*reference)];
                changed |= number != *reference;
                *reference = number;
            }
        }
        match place.number() {
            Some(number) if !changed => Ok(number),
            _ => Ok(self.vm.dictionary.intern(content)?),
        }
    }

    /// The number that an object has in the vector that was written last.
    pub fn number_in_vector(&self, object: u32) -> Option<u32> {
        let number = self.roots.numbers.get(self.heap.dense(object)).copied();
        number.filter(|&number| number != 0)
    }

    /// Reaches everything that is reached from what was reached.
    fn close(&self, reach: &mut Reach<'_>, owner: u16, references: &mut Vec<u32>) {
        while reach.done < reach.order.len() {
            let object = reach.order[reach.done];
            reach.done += 1;
            self.referred_to(self.heap.objects[object as usize], references);
            references.iter().for_each(|&next| {
                reach.root(next, owner);
            });
        }
    }

    /// The same for a thread; what another thread reaches as well is shared, with all behind it.
    fn close_thread(
        &self,
        reach: &mut Reach<'_>,
        owner: u16,
        meets: &mut Vec<u32>,
        references: &mut Vec<u32>,
    ) {
        while reach.done < reach.order.len() {
            let object = reach.order[reach.done];
            reach.done += 1;
            self.referred_to(self.heap.objects[object as usize], references);
            for &next in references.iter() {
                if reach.root(next, owner) {
                    meets.push(next);
                }
            }
        }
        while let Some(object) = meets.pop() {
            let dense = self.heap.dense(object);
            if std::mem::replace(&mut reach.owners[dense], EVERYBODY) == EVERYBODY {
                continue;
            }
            self.referred_to(self.heap.objects[dense], references);
            meets.extend_from_slice(references);
        }
    }

    /// The objects of the state that a content of an object refers to.
    fn referred_to(&self, place: Place, out: &mut Vec<u32>) {
        out.clear();
        let word = |index| self.heap.word(&self.vm.dictionary, place, index);
        let class = self.vm.registry.class_of(word(CLASS));
        let mut add = |reference: u32| {
            if reference != 0 && reference & BASE == 0 {
                out.push(reference);
            }
        };
        if class.has_reference_elements() {
            (ELEMENTS..ELEMENTS + word(LENGTH)).for_each(|index| add(word(index)));
        } else {
            class.linked().references.iter().for_each(|&slot| add(word(slot)));
        }
    }
}

/// Objects that were reached so far.
struct Reach<'a> {
    heap: &'a Heap,
    owners: &'a mut Vec<u16>,
    order: &'a mut Vec<u32>,
    /// How many of them were looked into.
    done: usize,
}

impl Reach<'_> {
    /// Notes that an object is reached; whether another thread reaches it, too.
    #[inline]
    fn root(&mut self, reference: u32, owner: u16) -> bool {
        if reference == 0 || reference & BASE != 0 {
            return false;
        }
        let dense = self.heap.dense(reference);
        let known = &mut self.owners[dense];
        if *known == NOBODY {
            *known = owner;
            self.order.push(dense as u32);
            return false;
        }
        *known != owner && *known != EVERYBODY
    }
}
