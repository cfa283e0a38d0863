//! Which threads reach which objects, and in which order. What statics and changed objects of the base lead
//! to comes first, then what the object of each thread leads to, then what frames do: frames change with
//! every step, so they come last and seldom matter for the numbers of objects that others reach.

use super::shapes::{Owner, Shapes};
use super::{Run, Worker, header};
use crate::heap::BASE;

/// What a thread that was not seen is known by.
const NOBODY: u16 = u16::MAX;
pub(super) const EVERYBODY: u16 = u16::MAX - 1;

/// Objects that were reached so far.
#[derive(Default)]
pub(crate) struct Reached {
    /// Which thread reaches each object.
    pub owners: Vec<u16>,
    /// The same without frames.
    steady: Vec<u16>,
    /// Objects in the order in which they are reached.
    pub order: Vec<u32>,
    /// How many of them were looked into.
    done: usize,
    /// Threads without whose frames some object would be reached by fewer threads or in another order: a
    /// bit for each, the last one for all others.
    pub bound: u32,
    /// Objects that a thread reaches and others as well.
    meets: Vec<u32>,
}

/// The bit of a thread.
pub(super) fn bit(thread: usize) -> u32 {
    1 << thread.min(31)
}

impl Worker {
    /// Finds out who reaches what; classes and objects of the base are in order.
    pub(super) fn reach(
        &self,
        reached: &mut Reached,
        shapes: &mut Shapes,
        known: &[u32],
        deviations: &[u32],
    ) -> Run<()> {
        reached.owners.clear();
        reached.owners.resize(self.heap.objects.len(), NOBODY);
        reached.order.clear();
        reached.done = 0;
        reached.bound = 0;
        for &class in known {
            let place = self.heap.statics(&self.vm.base, class);
            for &object in shapes.of(self, Owner::Statics, place) {
                self.reach_object(reached, object, EVERYBODY);
            }
        }
        for &index in deviations {
            let place = self.heap.place(&self.vm.base, index | BASE);
            for &next in shapes.of(self, Owner::Object, place) {
                self.reach_object(reached, next, EVERYBODY);
            }
        }
        self.close(reached, shapes, EVERYBODY)?;
        for (thread, place) in self.threads.iter().enumerate().filter(|(_, p)| !p.is_none()) {
            let object = self.heap.word(&self.vm.dictionary, *place, header::OBJECT);
            self.reach_object(reached, object, thread as u16);
            self.close(reached, shapes, thread as u16)?;
        }
        reached.bound = 0;
        let mut steady = std::mem::take(&mut reached.steady);
        steady.clone_from(&reached.owners);
        reached.steady = steady;
        for (thread, &place) in self.threads.iter().enumerate().filter(|(_, p)| !p.is_none()) {
            for &object in shapes.of(self, Owner::Thread, place) {
                self.reach_object(reached, object, thread as u16);
            }
            self.close(reached, shapes, thread as u16)?;
        }
        Ok(())
    }

    /// Notes that an object is reached.
    #[inline]
    fn reach_object(&self, reached: &mut Reached, reference: u32, owner: u16) {
        if reference == 0 || reference & BASE != 0 {
            return;
        }
        let dense = self.heap.dense(reference);
        match reached.owners[dense] {
            NOBODY => {
                reached.owners[dense] = owner;
                reached.order.push(dense as u32);
            }
            EVERYBODY if owner != EVERYBODY => {
                let without = reached.steady.get(dense).copied().unwrap_or(EVERYBODY);
                if without != EVERYBODY && without != owner {
                    reached.bound |= bit(usize::from(owner));
                }
            }
            known if known != owner => reached.meets.push(dense as u32),
            _ => {}
        }
    }

    /// Reaches everything that is reached from what was reached. What another thread reaches as well is shared,
    /// with all behind it.
    fn close(&self, reached: &mut Reached, shapes: &mut Shapes, owner: u16) -> Run<()> {
        while let Some(&object) = reached.order.get(reached.done) {
            reached.done += 1;
            self.poll_at(reached.done)?;
            for &next in shapes.of(self, Owner::Object, self.heap.objects[object as usize]) {
                self.reach_object(reached, next, owner);
            }
        }
        while let Some(dense) = reached.meets.pop() {
            let before = std::mem::replace(&mut reached.owners[dense as usize], EVERYBODY);
            if before == EVERYBODY {
                continue;
            }
            reached.bound |= bit(usize::from(owner));
            if reached.steady.get(dense as usize).is_none_or(|&without| without == NOBODY) {
                reached.bound |= bit(usize::from(before));
            }
            let references =
                shapes.of(self, Owner::Object, self.heap.objects[dense as usize]).iter();
            reached.meets.extend(references.map(|&next| self.heap.dense(next) as u32));
        }
        Ok(())
    }
}
