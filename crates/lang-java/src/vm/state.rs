//! From vectors to memory and back. A vector is
//! `[end, output, input, counts | threads | statics | (object of the base, content)... | objects]`,
//! each component the number of its content. Objects are numbered in the order in which they are
//! reached, statics first, then thread by thread; what is not reached is garbage and is gone. The
//! highest bit of an object tells that more than one thread can reach it.

use super::threads::header;
use super::{Run, Trap, Worker};
use crate::heap::{BASE, CLASS, ELEMENTS, Place};

/// Words before the threads.
pub(crate) const PREFIX: usize = 4;
const SHARED: u32 = 1 << 31;

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
}

/// What a thread that was not seen is known by.
const NOBODY: u16 = u16::MAX;
const EVERYBODY: u16 = u16::MAX - 1;

/// Memory for numbering objects.
#[derive(Default)]
pub(crate) struct Roots {
    /// The new number of each object, 0 if it was not reached.
    numbers: Vec<u32>,
    /// Which thread reaches each object.
    owners: Vec<u16>,
    /// Objects in their new order.
    order: Vec<u32>,
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
        self.threads.extend(state[at..at + parts.threads].iter().map(|&number| Place(number)));
        at += parts.threads;
        for &number in &state[at..at + parts.statics] {
            let class = self.vm.dictionary.word(number, 0);
            self.heap.set_statics(class, Place(number));
        }
        at += parts.statics;
        for pair in state[at..at + 2 * parts.deviations].chunks_exact(2) {
            self.heap.set_place(pair[0] | BASE, Place(pair[1]));
        }
        at += 2 * parts.deviations;
        for &word in &state[at..] {
            self.heap.add(Place(word & !SHARED));
            if let Some(shared) = self.heap.shared.last_mut() {
                *shared |= word & SHARED != 0;
            }
        }
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
        let Roots { numbers, owners, order, content, slots, known, deviations } = roots;
        numbers.clear();
        numbers.resize(self.heap.objects.len() + 1, 0);
        owners.clear();
        owners.resize(self.heap.objects.len() + 1, NOBODY);
        order.clear();
        known.clone_from(&self.heap.known);
        known.sort_unstable();
        deviations.clone_from(&self.heap.deviations);
        deviations.sort_unstable();
        let mut reach = Reach { numbers, owners, order, done: 0 };
        for &class in known.iter() {
            content.clear();
            let place = self.heap.statics(&self.vm.base, class);
            self.heap.read(&self.vm.dictionary, place, content);
            let slots = &self.vm.registry.class_of(class).linked().static_references;
            for &slot in slots.iter() {
                reach.root(content[slot as usize], EVERYBODY);
            }
        }
        for &index in deviations.iter() {
            content.clear();
            let place = self.heap.place(&self.vm.base, index | BASE);
            self.heap.read(&self.vm.dictionary, place, content);
            self.object_slots(content, slots);
            for &slot in slots.iter() {
                reach.root(content[slot as usize], EVERYBODY);
            }
        }
        self.close(&mut reach, EVERYBODY, content, slots);
        for (thread, &place) in self.threads.iter().enumerate() {
            if place.is_none() {
                continue;
            }
            content.clear();
            self.heap.read(&self.vm.dictionary, place, content);
            self.thread_slots(content, slots);
            let mut meets = Vec::new();
            for &slot in slots.iter() {
                if reach.root(content[slot as usize], thread as u16) {
                    meets.push(content[slot as usize]);
                }
            }
            self.close_thread(&mut reach, thread as u16, meets, content, slots);
        }
        let loaded = order.iter().enumerate().all(|(index, &old)| index as u32 + 1 == old);
        let moved = !loaded;
        let threads = self.threads.iter().rposition(|place| !place.is_none()).map_or(0, |i| i + 1);
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
            out.push(number);
        }
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
        for &old in order.iter() {
            let place = self.heap.objects[old as usize - 1];
            let number = match place.number() {
                Some(number) if !moved => number,
                _ => {
                    content.clear();
                    self.heap.read(&self.vm.dictionary, place, content);
                    self.object_slots(content, slots);
                    self.renumbered(place, content, slots, numbers)?
                }
            };
            let shared = owners[old as usize] == EVERYBODY;
            out.push(if shared { number | SHARED } else { number });
        }
        Ok(())
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
                let number = numbers[*reference as usize];
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
        self.roots.numbers.get(object as usize).copied().filter(|&number| number != 0)
    }

    /// Numbers everything that is reached from what was numbered.
    fn close(
        &self,
        reach: &mut Reach<'_>,
        owner: u16,
        content: &mut Vec<u32>,
        slots: &mut Vec<u32>,
    ) {
        while reach.done < reach.order.len() {
            let object = reach.order[reach.done];
            reach.done += 1;
            self.read_slots(object, content, slots);
            slots.iter().for_each(|&slot| {
                reach.root(content[slot as usize], owner);
            });
        }
    }

    /// The same for a thread; what another thread reaches as well is shared, with all behind it.
    fn close_thread(
        &self,
        reach: &mut Reach<'_>,
        owner: u16,
        mut meets: Vec<u32>,
        content: &mut Vec<u32>,
        slots: &mut Vec<u32>,
    ) {
        while reach.done < reach.order.len() {
            let object = reach.order[reach.done];
            reach.done += 1;
            self.read_slots(object, content, slots);
            for &slot in slots.iter() {
                if reach.root(content[slot as usize], owner) {
                    meets.push(content[slot as usize]);
                }
            }
        }
        while let Some(object) = meets.pop() {
            let known = &mut reach.owners[object as usize];
            if *known == EVERYBODY {
                continue;
            }
            *known = EVERYBODY;
            self.read_slots(object, content, slots);
            let references = slots.iter().map(|&slot| content[slot as usize]);
            meets.extend(references.filter(|&next| next != 0 && next & BASE == 0));
        }
    }

    fn read_slots(&self, object: u32, content: &mut Vec<u32>, slots: &mut Vec<u32>) {
        content.clear();
        let place = self.heap.objects[object as usize - 1];
        self.heap.read(&self.vm.dictionary, place, content);
        self.object_slots(content, slots);
    }
}

/// Objects that were reached so far.
struct Reach<'a> {
    numbers: &'a mut Vec<u32>,
    owners: &'a mut Vec<u16>,
    order: &'a mut Vec<u32>,
    /// How many of them were looked into.
    done: usize,
}

impl Reach<'_> {
    /// Notes that an object is reached; whether another thread reaches it, too.
    fn root(&mut self, reference: u32, owner: u16) -> bool {
        if reference == 0 || reference & BASE != 0 {
            return false;
        }
        let number = &mut self.numbers[reference as usize];
        if *number == 0 {
            self.order.push(reference);
            *number = self.order.len() as u32;
            self.owners[reference as usize] = owner;
            return false;
        }
        let known = self.owners[reference as usize];
        known != owner && known != EVERYBODY
    }
}
