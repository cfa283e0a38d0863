//! What a transition does with the memory of the state that was taken up: what it wrote, so that it can be
//! undone and only that has to be looked at afterwards, and what it read, in the order in which it did.

use std::cell::{Cell, RefCell};

use super::{BASE, Place};

/// Something that a transition looked at.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Read {
    /// An object of the state, or one of the base that differs in some state.
    Object(u32),
    /// The statics of a class.
    Statics(u32),
}

/// How much there was when a state was taken up.
#[derive(Clone, Copy, Default)]
pub(crate) struct Loaded {
    pub objects: usize,
    pub deviations: usize,
    pub known: usize,
}

/// Marks of what was read: nobody asks for it, it was not read, or it was.
const IGNORED: u8 = 0;
const UNREAD: u8 = 1;
const READ: u8 = 2;

/// The journal.
#[derive(Default)]
pub(crate) struct Journal {
    /// Objects that were written to, with the contents that they had.
    pub objects: Vec<(u32, Place)>,
    /// The same for statics.
    pub statics: Vec<(u32, Place)>,
    /// Objects that several threads can reach since.
    pub shared: Vec<u32>,
    pub loaded: Loaded,
    /// What was read, if that is asked for.
    reads: RefCell<Vec<Read>>,
    of_objects: Vec<Cell<u8>>,
    /// Only what differs somewhere from what it is in the base is worth a note.
    of_base: Vec<Cell<u8>>,
    of_statics: Vec<Cell<u8>>,
    /// How often something differed from the base that never had before.
    pub news: u64,
}

impl Journal {
    pub fn clear(&mut self) {
        self.stop_reading();
        self.objects.clear();
        self.statics.clear();
        self.shared.clear();
        self.of_objects.clear();
        self.loaded = Loaded::default();
    }

    /// A state was taken up.
    pub fn begin(&mut self, objects: usize, deviations: usize, known: usize) {
        self.objects.clear();
        self.statics.clear();
        self.shared.clear();
        self.loaded = Loaded { objects, deviations, known };
        self.of_objects.resize(objects, Cell::new(IGNORED));
    }

    /// Begins to note what is read, if that is wanted; what only the thread reaches is not asked for.
    pub fn begin_reading(&mut self, own: std::ops::Range<usize>, wanted: bool) {
        self.stop_reading();
        let mark = if wanted { UNREAD } else { IGNORED };
        self.of_objects.iter().for_each(|object| object.set(mark));
        self.of_objects[own].iter().for_each(|object| object.set(IGNORED));
    }

    /// What was read, in this order.
    pub fn reads(&self) -> std::cell::Ref<'_, Vec<Read>> {
        self.reads.borrow()
    }

    /// Ends noting.
    pub fn stop_reading(&mut self) {
        for read in self.reads.get_mut().drain(..) {
            match read {
                Read::Object(reference) if reference & BASE != 0 => {
                    self.of_base[(reference & !BASE) as usize].set(UNREAD);
                }
                Read::Object(_) => {}
                Read::Statics(class) => self.of_statics[class as usize].set(UNREAD),
            }
        }
    }

    #[inline]
    pub fn read_object(&self, dense: usize, reference: u32) {
        if let Some(mark) = self.of_objects.get(dense)
            && mark.get() == UNREAD
        {
            self.note(mark, Read::Object(reference));
        }
    }

    #[inline]
    pub fn read_base(&self, index: u32) {
        if let Some(mark) = self.of_base.get(index as usize)
            && mark.get() == UNREAD
        {
            self.note(mark, Read::Object(index | BASE));
        }
    }

    #[inline]
    pub fn read_statics(&self, class: u32) {
        if let Some(mark) = self.of_statics.get(class as usize)
            && mark.get() == UNREAD
        {
            self.note(mark, Read::Statics(class));
        }
    }

    #[cold]
    fn note(&self, mark: &Cell<u8>, read: Read) {
        mark.set(READ);
        self.reads.borrow_mut().push(read);
    }

    pub fn wrote(&mut self, reference: u32, before: Place) {
        self.objects.push((reference, before));
    }

    pub fn wrote_statics(&mut self, class: u32, before: Place) {
        self.ask(class, |journal| &mut journal.of_statics);
        self.statics.push((class, before));
    }

    /// An object of the base differs from what it is there.
    pub fn deviates(&mut self, index: u32) {
        self.ask(index, |journal| &mut journal.of_base);
    }

    /// From now on it matters whether this is read.
    fn ask(&mut self, index: u32, marks: impl Fn(&mut Journal) -> &mut Vec<Cell<u8>>) {
        let list = marks(self);
        if list.len() <= index as usize {
            list.resize(index as usize + 1, Cell::new(IGNORED));
        }
        if list[index as usize].get() == IGNORED {
            list[index as usize].set(UNREAD);
            self.news += 1;
        }
    }

    pub fn shared(&mut self, dense: usize) {
        if dense < self.loaded.objects {
            self.shared.push(dense as u32);
        }
    }
}
