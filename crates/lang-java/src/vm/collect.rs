//! Memory within one transition: what cannot be reached any more goes while the thread still runs.

use super::{Run, Worker};
use crate::heap::MOST_OBJECTS;

/// Words that a transition may use before garbage is looked for.
const FIRST: usize = 1 << 23;

/// Instructions between two looks at memory, as a mask.
pub(super) const INTERVAL: u64 = 0xfff;

impl Worker {
    /// Looks at what the transition has used; the thread stands between two instructions.
    #[cold]
    pub(super) fn take_stock(&mut self) -> Run<()> {
        let full = self.heap.used() > self.collect_at || self.heap.objects.len() > MOST_OBJECTS / 2;
        if full && !self.for_base {
            self.collect()?;
        }
        Ok(())
    }

    /// Begins a transition.
    pub(super) fn reset_stock(&mut self) {
        self.collect_at = FIRST;
    }

    /// Takes the state out of memory and in again: what is not reached stays behind. Other threads have
    /// no part in this.
    fn collect(&mut self) -> Run<()> {
        let current = self.current;
        let output = std::mem::take(&mut self.output);
        let uncaught = std::mem::take(&mut self.uncaught);
        let stop_at = self.stop_at;
        self.store_frames()?;
        let mut state = Vec::new();
        self.save_whole(&mut state)?;
        self.load(&state);
        self.load_frames(current)?;
        if let Some(watch) = &mut self.watch {
            watch.forget();
        }
        (self.output, self.uncaught, self.stop_at) = (output, uncaught, stop_at);
        let dictionary = &self.vm.dictionary;
        let numbers = self.heap.objects.iter().filter_map(|place| place.number());
        let live: usize = numbers.map(|number| dictionary.length(number)).sum();
        self.collect_at = FIRST.max(2 * live);
        Ok(())
    }
}
