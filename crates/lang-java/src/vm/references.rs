//! References that a collector may clear. Where the program asks for a collection, those are cleared of which the
//! object is not reached in another way; where it looks at one that might be cleared, the search is told that only
//! one way is tried. What a collector puts into queues, and finalizers, are not modelled.

use super::shapes::Owner;
use super::{Run, Worker};
use crate::heap::BASE;
use crate::link::{Class, Field};

const ONE_WAY: &str = "of references that a collector may clear only one way is tried";

/// What is known about references.
struct Kinds {
    reference: &'static Class,
    soft: &'static Class,
    referent: &'static Field,
}

/// What is reached without references that may be cleared.
struct Strong {
    reached: Vec<bool>,
    /// References that are reached, soft ones apart.
    weak: Vec<u32>,
}

impl Worker {
    fn kinds(&self) -> Run<Kinds> {
        let reference = self.class("java/lang/ref/Reference")?;
        let soft = self.class("java/lang/ref/SoftReference")?;
        Ok(Kinds { reference, soft, referent: self.library_field(reference, "referent")? })
    }

    /// The objects of the state that are strongly reached, soft references counting as strong if `soft`.
    fn strongly_reached(&mut self, kinds: &Kinds, soft: bool) -> Run<Strong> {
        self.store_frames()?;
        let mut strong = Strong { reached: vec![false; self.heap.objects.len()], weak: Vec::new() };
        let (mut content, mut slots) = (Vec::new(), Vec::new());
        let mut roots = Vec::new();
        for &class in &self.heap.known {
            roots.push((Owner::Statics, self.heap.statics(&self.vm.base, class)));
        }
        for &index in &self.heap.deviations {
            roots.push((Owner::Object, self.heap.place(&self.vm.base, index | BASE)));
        }
        let threads = self.threads.iter().filter(|place| !place.is_none());
        roots.extend(threads.map(|&place| (Owner::Thread, place)));
        let mut open = Vec::new();
        for (owner, place) in roots {
            content.clear();
            self.heap.read(&self.vm.dictionary, place, &mut content);
            self.slots(owner, &content, &mut slots);
            open.extend(slots.iter().map(|&slot| content[slot as usize]));
        }
        while let Some(object) = open.pop() {
            if object == 0 || object & BASE != 0 {
                continue;
            }
            if std::mem::replace(&mut strong.reached[self.heap.dense(object)], true) {
                continue;
            }
            let class = self.class_of(object);
            let is_reference = class.is_subtype_of(kinds.reference);
            let weak = is_reference && !(soft && class.is_subtype_of(kinds.soft));
            content.clear();
            let place = self.heap.place(&self.vm.base, object);
            self.heap.read(&self.vm.dictionary, place, &mut content);
            self.slots(Owner::Object, &content, &mut slots);
            if weak {
                strong.weak.push(object);
                slots.retain(|&slot| slot != kinds.referent.slot);
            }
            open.extend(slots.iter().map(|&slot| content[slot as usize]));
        }
        Ok(strong)
    }

    /// A collection that the program asks for.
    pub fn collect_references(&mut self) -> Run<()> {
        self.visible()?;
        self.refuse_finalizers()?;
        let kinds = self.kinds()?;
        let strong = self.strongly_reached(&kinds, true)?;
        let no_queue = self.class("java/lang/ref/ReferenceQueue")?;
        let no_queue = self.get_static(self.library_field(no_queue, "NULL")?, 0);
        let queue = self.library_field(kinds.reference, "queue")?;
        for weak in strong.weak {
            let object = self.get(weak, kinds.referent.slot);
            if object == 0 || object & BASE != 0 || strong.reached[self.heap.dense(object)] {
                continue;
            }
            self.leave_out(ONE_WAY);
            // A local variable that is not read any more may keep it.
            if self.stack[..self.top.sp].contains(&object) {
                continue;
            }
            let waits = self.get(weak, queue.slot);
            if waits != 0 && waits != no_queue {
                return self.unsupported("what a collector puts into queues of references");
            }
            self.set(weak, kinds.referent.slot, 0);
        }
        // A reference that only a local variable holds that is not read any more may come into its queue, too.
        for index in 0..self.heap.references.len() {
            let weak = self.heap.references[index];
            if strong.reached[index] || !self.class_of(weak).is_subtype_of(kinds.reference) {
                continue;
            }
            let waits = self.get(weak, queue.slot);
            if waits != 0 && waits != no_queue {
                self.leave_out(ONE_WAY);
            }
        }
        Ok(())
    }

    /// Finalizers of the program would run at some time.
    pub fn refuse_finalizers(&self) -> Run<()> {
        let classes = self.heap.known.iter().map(|&class| self.vm.registry.class_of(class));
        for class in classes.filter(|class| !class.library) {
            if class.declared("finalize", "()V").is_some() {
                return self.unsupported(format!("the finalizer of {}", class.get_name()));
            }
        }
        Ok(())
    }

    /// The program looks at a reference.
    pub fn look_at_reference(&mut self, reference: u32) -> Run<()> {
        if self.for_base || self.top.method.class.library {
            return Ok(());
        }
        let kinds = self.kinds()?;
        let object = self.get(reference, kinds.referent.slot);
        if object == 0 || object & BASE != 0 {
            return Ok(());
        }
        let strong = self.strongly_reached(&kinds, false)?;
        if !strong.reached[self.heap.dense(object)] {
            self.leave_out(ONE_WAY);
        }
        Ok(())
    }
}
