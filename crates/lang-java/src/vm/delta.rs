//! The state after a transition, from the state before it and what was written. As long as nothing but the
//! frames of the thread that moved, and objects that only they lead to, refer to other objects than before, all
//! objects keep their numbers except those that only this thread can reach; so everything else of the
//! vector stays, but for what was written. States in which those frames decide who reaches what are excepted.

use std::ops::Range;

use super::reach::bit;
use super::shapes::{Owner, Shapes};
use super::state::{BOUND, Origin, PREFIX, THREAD, Vector};
use super::{Run, Worker, header};
use crate::heap::{
    AREA_SHIFT, BASE, MOST_OBJECTS, NEW_AREA, Place, SHARED_AREA, area_of, reference,
};

/// Objects of a thread that are looked at twice, at most.
const MOST_LOOKED_AT: usize = 32;

/// What a transition did to a state. Of the state it knows only the thread that moved.
#[derive(Clone, Default, Debug, PartialEq, Eq)]
pub(crate) struct Effect {
    pub thread: usize,
    /// The first words of the vector.
    pub prefix: [u32; BOUND],
    /// The thread that moved, and its objects.
    pub own: Vec<u32>,
    /// Objects that several threads can reach: their number in the area, and the new content.
    pub objects: Vec<(u32, u32)>,
    /// Objects of the base, in this order: their number, and the new content; 0 for that of the base.
    pub base: Vec<(u32, u32)>,
    /// Classes, and the new content of their statics.
    pub statics: Vec<(u32, u32)>,
    /// Other threads and their new contents.
    pub threads: Vec<(u32, u32)>,
}

impl Effect {
    /// Words that it takes, about.
    pub fn words(&self) -> usize {
        let pairs = [&self.objects, &self.base, &self.statics, &self.threads];
        self.own.len() + pairs.iter().map(|list| 2 * list.len()).sum::<usize>()
    }
}

impl Worker {
    /// Writes the state as a vector; whether what changed is known. The frames of the current thread are in
    /// its content.
    pub fn save(&mut self, out: &mut Vec<u32>) -> Run<bool> {
        if !self.save_changes(out)? {
            self.save_whole(out)?;
            return Ok(false);
        }
        if cfg!(debug_assertions) {
            let mut whole = Vec::new();
            self.save_whole(&mut whole)?;
            assert_eq!(*out, whole, "what was written and what there is after {:?}", self.effect);
        }
        Ok(true)
    }

    /// The objects of the state that only one thread can reach, among all.
    pub fn own_objects(&self, thread: usize) -> Range<usize> {
        self.heap.area(area_of(thread), self.origin.threads[thread].len() - 1)
    }

    /// Whether the state could be written that way.
    pub fn save_changes(&mut self, out: &mut Vec<u32>) -> Run<bool> {
        let mut effect = std::mem::take(&mut self.effect);
        let mut known = self.find_effect(&mut effect)?;
        if known {
            known = self.apply(&effect, out);
        }
        self.effect = effect;
        Ok(known)
    }

    /// Finds out what the transition did; whether it left the numbers of all other objects as they were.
    fn find_effect(&mut self, effect: &mut Effect) -> Run<bool> {
        let Effect { thread, prefix, own, objects, base, statics, threads } = effect;
        let Origin { state, valid, age, threads: before } = &self.origin;
        let journal = &self.heap.journal;
        let stays = *valid
            && *age == self.vm.base.age()
            && !self.heap.by_sites
            && state[BOUND] & bit(self.current) == 0
            && self.exit.is_none()
            && self.threads.len() == before.len()
            && !self.threads[self.current].is_none()
            && self.heap.known.len() == journal.loaded.known;
        if !stays {
            return Ok(false);
        }
        *thread = self.current;
        *prefix = [u32::from(self.main_failed) << 1, self.printed, self.read, self.clock];
        objects.clear();
        base.clear();
        statics.clear();
        threads.clear();
        let mut slots = std::mem::take(&mut self.roots.slots);
        let result = (|| -> Run<bool> {
            for (other, words) in before.iter().enumerate().filter(|&(t, _)| t != self.current) {
                let place = self.threads[other];
                let old = state[words.start] & !THREAD;
                if place == Place(old) {
                    continue;
                }
                if old == 0 || place.number().is_some() {
                    return Ok(false);
                }
                let content = self.heap.words(place);
                self.thread_slots(content, &mut slots);
                match self.replaced(old, content, &slots)? {
                    Some(number) => threads.push((other as u32, number)),
                    None => return Ok(false),
                }
            }
            for &(class, old) in &journal.statics {
                let place = self.heap.statics(&self.vm.base, class);
                let slots = &self.vm.registry.class_of(class).linked().static_references;
                match self.replaced(old.0, self.heap.words(place), slots)? {
                    Some(number) => statics.push((class, number)),
                    None => return Ok(false),
                }
            }
            for &(object, old) in &journal.objects {
                let area = (object >> AREA_SHIFT) as usize;
                if area == area_of(self.current) {
                    continue;
                }
                if object & BASE == 0 && area != SHARED_AREA {
                    return Ok(false);
                }
                let place = self.heap.place(&self.vm.base, object);
                let content = self.heap.words(place);
                self.object_slots(content, &mut slots);
                let original = match object & BASE {
                    0 => 0,
                    _ => self.vm.base.object(object & !BASE),
                };
                let old = if old.is_none() { original } else { old.0 };
                match self.replaced(old, content, &slots)? {
                    None => return Ok(false),
                    Some(number) if object & BASE == 0 => {
                        objects.push((object & MOST_OBJECTS as u32, number));
                    }
                    Some(number) => {
                        base.push((object & !BASE, if number == original { 0 } else { number }));
                    }
                }
            }
            Ok(true)
        })();
        self.roots.slots = slots;
        base.sort_unstable();
        Ok(result? && self.find_own(own)?)
    }

    /// The number of a content that was written to, if it refers to what it referred to before.
    fn replaced(&self, old: u32, content: &[u32], slots: &[u32]) -> Run<Option<u32>> {
        let dictionary = &self.vm.dictionary;
        if dictionary.is(old, content) {
            return Ok(Some(old));
        }
        let same = self.has_references(old, content, slots);
        if !same {
            return Ok(None);
        }
        Ok(Some(dictionary.intern(content)?))
    }

    /// The thread that moved and its objects, with new numbers for them; whether all is well.
    fn find_own(&mut self, own: &mut Vec<u32>) -> Run<bool> {
        let mut roots = std::mem::take(&mut self.roots);
        let result = self.find_own_with(&mut roots, own);
        roots.own_only = true;
        self.roots = roots;
        result
    }

    fn find_own_with(&self, roots: &mut super::Roots, own: &mut Vec<u32>) -> Run<bool> {
        let super::Roots { numbers, order, content, slots, stored, shapes, shared, .. } = roots;
        let area = area_of(self.current);
        let mine = self.own_objects(self.current);
        let made = self.heap.journal.loaded.objects;
        let count = self.heap.objects.len();
        numbers.resize(count, 0);
        numbers[mine.clone()].fill(0);
        numbers[made..].fill(0);
        order.clear();
        shapes.tidy();
        // Gives an object its number; whether it may have one.
        let mut reach = |object: u32, order: &mut Vec<u32>| {
            let found = (object >> AREA_SHIFT) as usize;
            if object == 0 || object & BASE != 0 || found == SHARED_AREA {
                return true;
            }
            if found != area && found != NEW_AREA {
                return false;
            }
            let dense = self.heap.dense(object);
            if numbers[dense] == 0 {
                order.push(dense as u32);
                numbers[dense] = reference(area, order.len() as u32);
            }
            true
        };
        let place = self.threads[self.current];
        if place.number().is_some() {
            return Ok(false);
        }
        let thread = self.heap.words(place);
        reach(thread[header::OBJECT as usize], order);
        let mut done = 0;
        let mut steady = true;
        let mut same = true;
        shared.clear();
        loop {
            while done < order.len() {
                let dense = order[done] as usize;
                // What others could reach for a while is marked.
                if self.heap.shared[dense] && !self.heap.all_shared {
                    return Ok(false);
                }
                let place = self.heap.objects[dense];
                done += 1;
                self.poll_at(done)?;
                same &= !steady || place.number().is_some() || self.refers_as_before(dense, slots);
                for &object in shapes.of(self, Owner::Object, place) {
                    if !reach(object, order) {
                        return Ok(false);
                    }
                    if steady && object >> AREA_SHIFT == SHARED_AREA as u32 {
                        shared.push(object);
                    }
                }
            }
            if !std::mem::replace(&mut steady, false) {
                break;
            }
            if !stored.iter().all(|&slot| reach(thread[slot as usize], order)) {
                return Ok(false);
            }
        }
        // What the object of the thread leads to may be what makes objects shared.
        if !same && !self.met_before(thread[header::OBJECT as usize], shared, content, shapes) {
            return Ok(false);
        }
        if order.len() > MOST_OBJECTS {
            return Ok(false);
        }
        let references = &self.heap.references;
        let moved =
            order.iter().any(|&dense| numbers[dense as usize] != references[dense as usize]);
        let rename = |content: &mut [u32], slots: &[u32]| {
            for &slot in slots {
                let word = &mut content[slot as usize];
                if *word & BASE == 0 && *word >> AREA_SHIFT != SHARED_AREA as u32 {
                    *word = numbers[self.heap.dense(*word)];
                }
            }
        };
        own.clear();
        content.clear();
        content.extend_from_slice(thread);
        if moved {
            rename(content, stored);
        }
        own.push(self.vm.dictionary.intern(content)? | THREAD);
        for (at, &dense) in order.iter().enumerate() {
            self.poll_at(at)?;
            let place = self.heap.objects[dense as usize];
            let number = match place.number() {
                Some(number) if !moved => number,
                _ => {
                    content.clear();
                    self.heap.read(&self.vm.dictionary, place, content);
                    self.object_slots(content, slots);
                    rename(content, slots);
                    self.vm.dictionary.intern(content)?
                }
            };
            own.push(number);
        }
        Ok(true)
    }

    /// Whether an object that was written to refers to what it referred to in the state that was taken up.
    fn refers_as_before(&self, dense: usize, slots: &mut Vec<u32>) -> bool {
        let Some(old) = self.written(dense) else { return false };
        let content = self.heap.words(self.heap.objects[dense]);
        self.object_slots(content, slots);
        self.has_references(old.0, content, slots)
    }

    /// The content that an object had which was written to.
    fn written(&self, dense: usize) -> Option<Place> {
        let reference = self.heap.references[dense];
        let mut written = self.heap.journal.objects.iter();
        written.find(|(object, _)| *object == reference).map(|&(_, old)| old)
    }

    /// Whether the object of the thread that moved led to just these shared objects, in this order, in the
    /// state that was taken up.
    fn met_before(
        &self,
        object: u32,
        shared: &[u32],
        order: &mut Vec<u32>,
        shapes: &mut Shapes,
    ) -> bool {
        let mut rest = shared.iter();
        order.clear();
        let mine = area_of(self.current) as u32;
        if object & BASE == 0 && object >> AREA_SHIFT == mine {
            order.push(object);
        }
        let mut done = 0;
        while done < order.len() {
            let dense = self.heap.dense(order[done]);
            done += 1;
            let place = match self.heap.objects[dense] {
                place if place.number().is_some() => place,
                _ => match self.written(dense) {
                    Some(old) => old,
                    None => return false,
                },
            };
            for &next in shapes.of(self, Owner::Object, place) {
                if next >> AREA_SHIFT == SHARED_AREA as u32 {
                    if rest.next() != Some(&next) {
                        return false;
                    }
                } else if !order.contains(&next) {
                    order.push(next);
                }
            }
            if order.len() > MOST_LOOKED_AT {
                return false;
            }
        }
        rest.next().is_none()
    }

    /// Whether a content has the same references to objects of the state as another one.
    fn has_references(&self, old: u32, content: &[u32], slots: &[u32]) -> bool {
        let dictionary = &self.vm.dictionary;
        // Objects of the base have no numbers that could change.
        let of_state = |word: u32| if word & BASE == 0 { word } else { 0 };
        dictionary.length(old) == content.len()
            && slots.iter().all(|&slot| {
                of_state(content[slot as usize]) == of_state(dictionary.word(old, slot))
            })
    }

    /// Writes the state that an effect makes of the one that was taken up; whether it could.
    pub fn apply(&self, effect: &Effect, out: &mut Vec<u32>) -> bool {
        let Effect { thread, prefix, own, objects, base, statics, threads } = effect;
        let Origin { state, threads: before, .. } = &self.origin;
        let parts = Vector::of(state);
        let moved = &before[*thread];
        let mark = before.last().map_or(PREFIX, |words| words.end);
        let deviations = mark + 1 + parts.statics;
        let shared = deviations + 2 * parts.deviations;
        out.clear();
        out.extend_from_slice(prefix);
        out.extend_from_slice(&state[BOUND..moved.start]);
        out.extend_from_slice(own);
        let behind = out.len();
        out.extend_from_slice(&state[moved.end..deviations]);
        let now = |at: usize| if at < moved.end { at } else { at + behind - moved.end };
        for &(thread, number) in threads {
            out[now(before[thread as usize].start)] = number | THREAD;
        }
        for &(class, number) in statics {
            let Ok(index) = self.heap.known.binary_search(&class) else { return false };
            out[now(mark + 1 + index)] = number;
        }
        if base.is_empty() {
            out.extend_from_slice(&state[deviations..shared]);
        } else {
            let start = out.len();
            let mut changes = base.iter().peekable();
            let mut add = |index: u32, number: u32| {
                if number != 0 {
                    out.extend([index, number]);
                }
            };
            for pair in state[deviations..shared].chunks_exact(2) {
                while let Some(&(index, number)) = changes.next_if(|change| change.0 < pair[0]) {
                    add(index, number);
                }
                match changes.next_if(|change| change.0 == pair[0]) {
                    Some(&(index, number)) => add(index, number),
                    None => add(pair[0], pair[1]),
                }
            }
            changes.for_each(|&(index, number)| add(index, number));
            let parts = Vector { deviations: (out.len() - start) / 2, ..parts };
            let Some(counts) = parts.pack() else { return false };
            out[PREFIX - 1] = counts;
        }
        let start = out.len();
        out.extend_from_slice(&state[shared..]);
        for &(object, number) in objects {
            out[start + object as usize - 1] = number;
        }
        true
    }
}
